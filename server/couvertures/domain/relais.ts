import { request, type Dispatcher } from 'undici';
import { discard, readBody } from '#server/upstream/body';
import { Gate } from '#server/upstream/gate';
import { redirection } from '#server/upstream/redirect';
import { userAgent } from '#server/upstream/user-agent';
import { estDemandable } from './adresse.ts';
import { openPublicAgent } from './connexion.ts';
import { typeImage, type TypeImage } from './image.ts';

const TAILLE_MAXIMUM = 10 * 1024 * 1024;
const REDIRECTIONS_MAXIMUM = 10;

/** Images at a time, each held in memory until it is known to be one. */
const SIMULTANEES = 12;

export interface Image {
  readonly type: TypeImage;
  readonly contenu: Buffer;
}

/** Fetches images from the public web for a page that may not go there itself. */
export class Relais {
  readonly #agent: Dispatcher;
  readonly #timeoutMs: number;
  readonly #gate = new Gate(SIMULTANEES);
  /** All that goes up: nothing of the caller. */
  readonly #headers = { 'user-agent': userAgent(), accept: 'image/*' };

  /** @param timeoutMs the whole of one image, its redirects and its body included */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#agent = openPublicAgent(timeoutMs);
  }

  /** The image at an address; throws for whatever reason there is none to show. */
  async chercher(adresse: string, signal: AbortSignal): Promise<Image> {
    const limite = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
    return this.#gate.run(limite, () => this.#suivre(new URL(adresse), limite));
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Each address of a chain of redirects is checked like the first one. */
  async #suivre(depart: URL, signal: AbortSignal): Promise<Image> {
    let url = depart;
    for (let saut = 0; saut <= REDIRECTIONS_MAXIMUM; saut++) {
      if (!estDemandable(url)) throw new Error('Not an address of the relay');
      const reponse = await request(url, {
        dispatcher: this.#agent,
        headers: this.#headers,
        signal,
      });
      const suite = redirection(reponse, url);
      if (suite === null) return lireImage(reponse);
      await discard(reponse.body);
      url = suite;
    }
    throw new Error('Too many redirects');
  }
}

async function lireImage(reponse: Dispatcher.ResponseData): Promise<Image> {
  if (reponse.statusCode !== 200) {
    await discard(reponse.body);
    throw new Error(`The source answers ${String(reponse.statusCode)}`);
  }
  const contenu = await readBody(reponse, TAILLE_MAXIMUM);
  const type = typeImage(contenu, String(reponse.headers['content-type'] ?? ''));
  if (type === null) throw new Error('Not an image');
  return { type, contenu };
}
