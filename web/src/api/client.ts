/** Questions to the server that this page came from. What goes wrong is one line. */

export class ApiError extends Error {
  constructor(
    readonly status: number,
    line: string,
  ) {
    super(line);
  }
}

export async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  const isPost = body !== undefined;
  const init = isPost ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new ApiError(0, "the server doesn't answer; is playmill still running?");
  }
  if (!answer.ok) throw new ApiError(answer.status, await errorLine(answer));
  return (await answer.json()) as Answer;
}

async function errorLine(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return String((JSON.parse(text) as { error: string }).error);
  } catch {
    return text.trim().split("\n")[0] || `the server answered ${answer.status}`;
  }
}
