import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const HERE = import.meta.dirname;
const OUT = join(HERE, "../src/playmill/web/static");
const TOP = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

/** The files that the bundle is made of, by name; tests and their cases are no part of it. */
function sources(): string[] {
  const found = ["public", "src"]
    .flatMap((folder) => readdirSync(join(HERE, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(test\.tsx?|cases\.json)$/.test(entry.name))
    .map((entry) => relative(HERE, join(entry.parentPath, entry.name)).split(sep).join("/"));
  return [...TOP, ...found].sort();
}

/** Writes sources.sha256 beside the bundle; a Python test compares it with the sources that are there. */
function sourcesHash(): Plugin {
  return {
    name: "sources-hash",
    apply: "build",
    closeBundle() {
      const hash = createHash("sha256");
      for (const name of sources())
        hash
          .update(`${name}\n`)
          .update(readFileSync(join(HERE, name)))
          .update("\n");
      writeFileSync(join(OUT, "sources.sha256"), `${hash.digest("hex")}\n`);
    },
  };
}

export default defineConfig({
  plugins: [react(), sourcesHash()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    rollupOptions: { output: { manualChunks: (id: string) => (id.includes("node_modules/pixi.js") ? "pixi" : undefined) } },
  },
});
