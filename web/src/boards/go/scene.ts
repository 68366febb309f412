/** A Go board on the screen, by PixiJS: layers of sprites, drawn only when something changes. */

import "pixi.js/unsafe-eval"; // Pixi's shaders without `eval`, which the page's content policy forbids
import { CanvasSource, Container, Sprite, Texture, autoDetectRenderer, type Renderer } from "pixi.js";
import { drawGround } from "./ground";
import { type Layout, layOut, xOf, yOf } from "./layout";
import type { Palette } from "./palette";
import type { View } from "./points";
import { BLACK, EMPTY, WHITE, type Colour } from "./rules";
import { type Sign, drawSign, drawText } from "./signs";
import { drawShadow, drawStone } from "./stones";

/** What to show. A change of `key` is another position, which appears at once; else stones come and go softly. */
export interface Picture {
  readonly key: string;
  readonly size: number;
  readonly view: View;
  readonly stones: Uint8Array;
  readonly signs: ReadonlyMap<number, Sign>;
  readonly numbers: ReadonlyMap<number, number>;
  readonly cursor: number;
  readonly ghost: { readonly point: number; readonly colour: Colour } | null;
}

const COMING_MS = 130;
const INK = { [EMPTY]: "#3a2c16", [BLACK]: "#ffffff", [WHITE]: "#1c1a17" } as Record<number, string>;

interface Stone {
  readonly colour: number;
  readonly body: Sprite;
  readonly shadow: Sprite;
}

export class GoScene {
  layout: Layout | null = null;
  private readonly stage = new Container();
  private readonly layers = [new Container(), new Container(), new Container(), new Container()] as const;
  private readonly textures = new Map<string, Texture>();
  private readonly stones = new Map<number, Stone>();
  private picture: Picture | null = null;
  private drawn = ""; // what the textures and the ground were made for
  private frame = 0;
  private readonly moving = new Map<Stone, { began: number; isComing: boolean }>();

  private constructor(
    private readonly renderer: Renderer,
    private readonly isCalm: () => boolean,
  ) {
    this.stage.addChild(...this.layers);
  }

  /** The scene with its canvas; WebGL where there is one, else a plain canvas. Fails where there is neither. */
  static async make(isCalm: () => boolean): Promise<GoScene> {
    const renderer = await autoDetectRenderer({
      preference: ["webgl", "canvas"],
      width: 10,
      height: 10,
      backgroundAlpha: 0,
      antialias: true,
      autoDensity: true,
      resolution: window.devicePixelRatio || 1,
    });
    return new GoScene(renderer, isCalm);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.canvas as HTMLCanvasElement;
  }

  /** Which of Pixi's renderers draws. */
  get kind(): string {
    return this.renderer.name;
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.forget();
    this.renderer.destroy();
  }

  /** Show a picture in the room that there is. */
  show(picture: Picture, palette: Palette, width: number, height: number): void {
    const layout = layOut(picture.size, picture.view, width, height);
    const scale = window.devicePixelRatio || 1;
    const wanted = JSON.stringify([layout, palette.name, scale]);
    const isNew = wanted !== this.drawn || picture.key !== this.picture?.key;
    if (wanted !== this.drawn) this.rebuild(layout, palette, scale);
    this.drawn = wanted;
    this.layout = layout;
    this.picture = picture;
    this.placeStones(isNew || this.isCalm());
    this.placeSigns();
    this.render();
  }

  // ------------------------------------------------------------------ ground and textures

  private rebuild(layout: Layout, palette: Palette, scale: number): void {
    this.forget();
    this.renderer.resize(layout.width, layout.height, scale);
    this.layout = layout;
    const { cell } = layout;
    this.keep("ground", drawGround(layout, palette, scale), scale);
    this.keep("shadow", drawShadow(palette, cell, scale), scale);
    for (const colour of [BLACK, WHITE] as const) this.keep(`stone${colour}`, drawStone(colour, cell, scale), scale);
    this.layers[0].addChild(new Sprite(this.textures.get("ground")!));
  }

  private forget(): void {
    for (const layer of this.layers) for (const child of layer.removeChildren()) child.destroy();
    for (const texture of this.textures.values()) texture.destroy(true);
    this.textures.clear();
    this.stones.clear();
    this.moving.clear();
  }

  private keep(name: string, canvas: HTMLCanvasElement, scale: number): Texture {
    const texture = new Texture({ source: new CanvasSource({ resource: canvas, resolution: scale }) });
    this.textures.set(name, texture);
    return texture;
  }

  private stamp(name: string, draw: (cell: number, scale: number) => HTMLCanvasElement): Texture {
    const scale = window.devicePixelRatio || 1;
    return this.textures.get(name) ?? this.keep(name, draw(this.layout!.cell, scale), scale);
  }

  private put(layer: Container, texture: Texture, point: number, shift = 0): Sprite {
    const sprite = new Sprite(texture);
    const { size } = this.layout!;
    sprite.anchor.set(0.5);
    sprite.position.set(xOf(this.layout!, point % size) + shift, yOf(this.layout!, Math.floor(point / size)) + shift);
    layer.addChild(sprite);
    return sprite;
  }

  // ------------------------------------------------------------------ stones

  private placeStones(isAtOnce: boolean): void {
    const { stones } = this.picture!;
    for (const [point, stone] of [...this.stones]) {
      if (stones[point] === stone.colour) continue;
      this.stones.delete(point);
      this.move(stone, false, isAtOnce);
    }
    stones.forEach((colour, point) => {
      if (colour === EMPTY || this.stones.has(point) || !this.isShown(point)) return;
      const shadow = this.put(this.layers[1], this.textures.get("shadow")!, point, this.layout!.cell * 0.045);
      const body = this.put(this.layers[2], this.textures.get(`stone${colour}`)!, point);
      const stone = { colour, body, shadow };
      this.stones.set(point, stone);
      this.move(stone, true, isAtOnce);
    });
  }

  private isShown(point: number): boolean {
    const { size, view } = this.layout!;
    const [row, column] = [Math.floor(point / size), point % size];
    return row >= view.top && row <= view.bottom && column >= view.left && column <= view.right;
  }

  private move(stone: Stone, isComing: boolean, isAtOnce: boolean): void {
    this.moving.delete(stone);
    if (!isAtOnce) this.moving.set(stone, { began: performance.now(), isComing });
    this.pose(stone, isComing, isAtOnce ? 1 : 0);
    if (!isAtOnce) this.animate();
  }

  /** A stone on its way: coming, it settles from a little above; going, it fades. */
  private pose(stone: Stone, isComing: boolean, way: number): void {
    const there = isComing ? way : 1 - way;
    stone.body.alpha = Math.min(1, there * 1.6);
    stone.shadow.alpha = there;
    stone.body.scale.set(isComing ? 1.14 - 0.14 * way : 1);
    if (!isComing && way >= 1) {
      stone.body.destroy();
      stone.shadow.destroy();
    }
  }

  private animate(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame((now) => {
      for (const [stone, { began, isComing }] of [...this.moving]) {
        const way = Math.min(1, Math.max(0, (now - began) / COMING_MS));
        if (way >= 1) this.moving.delete(stone);
        this.pose(stone, isComing, way);
      }
      this.render();
      if (this.moving.size) this.animate();
    });
  }

  // ------------------------------------------------------------------ signs

  private placeSigns(): void {
    const { stones, signs, numbers, cursor, ghost } = this.picture!;
    const layer = this.layers[3];
    for (const child of layer.removeChildren()) child.destroy();
    for (const [point, number] of numbers) {
      const ink = INK[stones[point]!]!;
      if (this.isShown(point))
        this.put(
          layer,
          this.stamp(`n${number}${ink}`, (c, s) => drawText(String(number), ink, c, s)),
          point,
        );
    }
    for (const [point, sign] of signs) {
      const ink = INK[stones[point]!]!;
      if (this.isShown(point))
        this.put(
          layer,
          this.stamp(`${sign}${ink}`, (c, s) => drawSign(sign, ink, c, s)),
          point,
        );
    }
    if (ghost && stones[ghost.point] === EMPTY && this.isShown(ghost.point)) {
      this.put(layer, this.textures.get(`stone${ghost.colour}`)!, ghost.point).alpha = 0.5;
    }
    if (cursor >= 0 && this.isShown(cursor))
      this.put(
        layer,
        this.stamp("cursor", (c, s) => drawSign("cursor", "", c, s)),
        cursor,
      );
  }

  private render(): void {
    this.renderer.render(this.stage);
  }
}
