import { send, type Received, type RunningServer } from './server.ts';

export async function ask(
  { url }: Pick<RunningServer, 'url'>,
  method: string,
  path: string,
  options: {
    readonly as?: string | null;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Received> {
  const { as = 'alice', body, headers = {} } = options;
  return send(url + path, {
    method,
    headers: [
      ...(as === null ? [] : ['SSO_USER', as]),
      ...(body === undefined ? [] : ['Content-Type', 'application/json']),
      ...Object.entries(headers).flat(),
    ],
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
