/** Reads a body as JSON and reports every chunk, so that a slow line does not time out. */
export async function readJson(response: Response, arrived: () => void): Promise<unknown> {
  if (response.body === null) return response.json();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    arrived();
    text += decoder.decode(value, { stream: true });
  }
}

/** Reads a body as bytes, all at once. */
export async function readBytes(response: Response): Promise<unknown> {
  return new Uint8Array(await response.arrayBuffer());
}
