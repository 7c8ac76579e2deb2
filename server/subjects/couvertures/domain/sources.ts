import { createHash } from 'node:crypto';
import { COVERS_SITE, fallbackCoverUrl } from '#shared/couvertures';
import { BNF_SITE } from '#shared/recherche';
import type { KnownArks } from '#server/plumbing/upstream/bnf/known-arks';
import * as bnf from '#server/plumbing/upstream/bnf/queries';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { Source } from '#server/plumbing/upstream/source';
import { NoImage, type Image, type Relay } from './relay.ts';

/** The first and the second source of an ISBN, as the queue names them; these are no host names. */
export const ISBN_HOST = 'isbn';
export const BNF_HOST = 'bnf';

const BY_ISBN = /\/b\/isbn\/(\d{13})-L\.jpg(?:\?|$)/u;
/** A record that does not exist: for it the library sends its placeholder picture. */
const UNKNOWN_ARK = 'ark:/12148/cb000000000';
/** The placeholder is fetched again after this long, and when two records have the same cover. */
const LEARNT_MS = 24 * 3_600_000;
/** Records whose covers are remembered, to see that two are the same. */
const MAX_SEEN = 1000;

interface SourcesOfCovers {
  readonly relay: Relay;
  readonly bnf: Source;
  readonly arks: KnownArks;
  readonly coversSite: string;
  readonly bnfSruUrl: string;
  /** Called with the hash of a picture that turns out to stand for none. */
  readonly onPlaceholder: (sha256: string) => void;
}

/** Where pictures come from: an address of its own, or for an ISBN two sources one after the other. */
export class CoverSources {
  readonly #of: SourcesOfCovers;
  readonly #coversOrigin: string | null;
  readonly #bnfOrigin: string | null;
  /** The records by the content of their covers. */
  readonly #seen = new Map<string, string>();
  #placeholder: { readonly sha256: string | null; readonly learnt: number } | null = null;

  constructor(sources: SourcesOfCovers) {
    this.#of = sources;
    // Only a site that a setting names may have a private address.
    this.#coversOrigin = ownOrigin(sources.coversSite, COVERS_SITE);
    this.#bnfOrigin = ownOrigin(sources.bnfSruUrl, BNF_SITE);
  }

  /** The addresses of the queue under which the picture at a URL may be kept. */
  adressesOf(url: string): string[] {
    const isbn = isbnOf(url);
    const isComposed = isbn !== null && url === fallbackCoverUrl(this.#of.coversSite, isbn);
    return isComposed ? [url, `isbn:${isbn}`] : [url];
  }

  /**
   * The picture of an address at its first source. Throws as `Relay.download`: NoImage where the
   * source has answered and has none.
   */
  first(adresse: string, signal: AbortSignal): Promise<Image> {
    const { url, site } = this.#placeOf(adresse);
    return this.#of.relay.download(url, { signal, site });
  }

  /** The same for a screen, which waits for its person's turn. */
  forScreen(adresse: string, asker: Asker): Promise<Image> {
    const { url, site } = this.#placeOf(adresse);
    return this.#of.relay.fetch(url, asker, site);
  }

  /** The cover that the open database has under a number of its own. */
  byNumber(number: number, signal: AbortSignal): Promise<Image> {
    const { relay, coversSite } = this.#of;
    const url = `${coversSite.replace(/\/$/u, '')}/b/id/${String(number)}-L.jpg?default=false`;
    return relay.download(url, { signal, site: this.#coversOrigin });
  }

  /**
   * The national library's cover of the record of an ISBN. Throws NoImage where it has no such
   * record or no cover of it, and SourceUnreachable.
   */
  async second(isbn: string, asker: Asker): Promise<Image> {
    const known = this.#of.arks.take(isbn);
    if (known === null) throw new NoImage(404);
    if (known !== undefined) return this.byArk(known, asker.signal);
    for (const form of ['isbn13', 'isbn10'] as const) {
      const records = await bnf.recordsByIsbn(this.#of.bnf, isbn, form, asker);
      const ark = records.find(({ id }) => id !== null)?.id ?? null;
      if (ark !== null) return this.byArk(ark, asker.signal);
    }
    throw new NoImage(404);
  }

  /** The national library's cover of a record; its placeholder is none. */
  async byArk(ark: string, signal: AbortSignal): Promise<Image> {
    const image = await this.#bnfCover(ark, signal);
    const sha256 = digest(image);
    if ((this.#seen.get(sha256) ?? ark) !== ark) this.#placeholder = null;
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear();
    this.#seen.set(sha256, ark);
    if (sha256 === (await this.#learnPlaceholder(signal))) throw new NoImage(404);
    return image;
  }

  /** The hash of the picture that the library sends where a record has no cover; it may change any day. */
  async #learnPlaceholder(signal: AbortSignal): Promise<string | null> {
    if (this.#placeholder === null || this.#placeholder.learnt < Date.now() - LEARNT_MS) {
      const sha256 = await this.#bnfCover(UNKNOWN_ARK, signal).then(digest, (error: unknown) => {
        if (error instanceof NoImage && (error.status === 404 || error.status === 200)) return null;
        throw error;
      });
      this.#placeholder = { sha256, learnt: Date.now() };
      if (sha256 !== null) this.#of.onPlaceholder(sha256);
    }
    return this.#placeholder.sha256;
  }

  /** Where the picture of an address is, and the origin that may be anywhere. */
  #placeOf(adresse: string): { readonly url: string; readonly site: string | null } {
    const isbn = isbnOf(adresse);
    const composed = isbn === null ? null : fallbackCoverUrl(this.#of.coversSite, isbn);
    if (composed === null || (!adresse.startsWith('isbn:') && adresse !== composed))
      return { url: adresse, site: null };
    return { url: composed, site: this.#coversOrigin };
  }

  #bnfCover(ark: string, signal: AbortSignal): Promise<Image> {
    const url = new URL('/couverture', this.#of.bnfSruUrl);
    url.search = `appName=NE&idArk=${ark}&couverture=1`;
    return this.#of.relay.download(url.href, { signal, site: this.#bnfOrigin });
  }
}

/** The ISBN that an address of the queue is about, `null` for a picture's own address. */
export const isbnOf = (adresse: string): string | null =>
  adresse.startsWith('isbn:') ? adresse.slice(5) : (BY_ISBN.exec(adresse)?.[1] ?? null);

const digest = ({ content }: Image): string => createHash('sha256').update(content).digest('hex');

/** The origin of a site that a setting names in place of the public one; `null` for that one. */
const ownOrigin = (site: string, publicSite: string): string | null =>
  new URL(site).origin === new URL(publicSite).origin ? null : new URL(site).origin;
