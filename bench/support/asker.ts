import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

// The worker: reading the responses is no work of the service.
parentPort?.on('message', ({ url, ...init }: Asked) => {
  void fetch(url, init).then(async (response) => {
    const isJson = response.headers.get('Content-Type')?.includes('json') === true;
    const bytes = Buffer.from(await response.arrayBuffer());
    parentPort?.postMessage({ status: response.status, body: isJson ? bytes.toString() : '' });
  });
});

/** Sends requests from a worker to a service in this process, one after another. */
export class Asker {
  readonly #worker = new Worker(import.meta.filename);

  async ask(asked: Asked): Promise<Answer> {
    this.#worker.postMessage(asked);
    const [answer] = (await once(this.#worker, 'message')) as [Answer];
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
