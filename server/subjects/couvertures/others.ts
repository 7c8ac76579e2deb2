import PQueue from 'p-queue';
import { MAX_AUTRES, type AutreCouverture } from '#shared/couvertures';
import { Refusal } from '#shared/refusals';
import { cleOeuvre } from '#shared/text';
import { isFullDisk } from '#server/plumbing/database/files';
import * as bnf from '#server/plumbing/upstream/bnf';
import * as openLibrary from '#server/plumbing/upstream/openlibrary';
import type { Oeuvre } from '#server/plumbing/records/kind';
import type { QueueOwner } from '#server/plumbing/upstream/queue';
import type { Source } from '#server/plumbing/upstream/sources';
import { failureOf } from './fetcher.ts';
import type { Clock, CoverStore } from './cover-store.ts';
import type { CoverSources, Image } from './sources.ts';

export const OFFER_MS = 3_600_000;

interface Offer {
  readonly owner: string;
  readonly cles: ReadonlySet<string>;
  readonly end: number;
}

/** The pictures offered to each person, for an hour (docs/rules.md § 43). */
export class Offers {
  readonly #clock: Clock;
  readonly #onEnd: (cles: readonly string[]) => void;
  /** The first to end first. */
  #offers: readonly Offer[] = [];
  #cancelTimer: () => void = () => undefined;

  /** @param onEnd gets the pictures that are offered to nobody any more */
  constructor(clock: Clock, onEnd: (cles: readonly string[]) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  has(owner: string, cle: string): boolean {
    const now = this.#clock.now();
    return this.#offers.some(
      (offer) => offer.owner === owner && offer.end > now && offer.cles.has(cle),
    );
  }

  /** Earlier offers to the person stay: two screens may be open. */
  add(owner: string, cles: Iterable<string>): void {
    const end = this.#clock.now() + OFFER_MS;
    this.#offers = [...this.#offers, { owner, cles: new Set(cles), end }];
    this.#endDue();
  }

  stop(): void {
    this.#cancelTimer();
  }

  #endDue(): void {
    this.#cancelTimer();
    const now = this.#clock.now();
    const ended = this.#offers.filter(({ end }) => end <= now);
    this.#offers = this.#offers.filter(({ end }) => end > now);
    const [next] = this.#offers;
    if (next !== undefined)
      this.#cancelTimer = this.#clock.after(next.end - now, () => this.#endDue());
    const gone = new Set(ended.flatMap((offer) => [...offer.cles]));
    for (const { cles } of this.#offers) for (const cle of cles) gone.delete(cle);
    if (gone.size > 0) this.#onEnd([...gone]);
  }
}

/** Candidates asked for eight pictures: some have the same one, some none. */
const MAX_ASKED = 16;
const AT_A_TIME = 4;
/** Pictures that arrive in time are offered. */
const SEARCH_TIMEOUT_MS = 12_000;

interface OtherCoversParts {
  readonly store: CoverStore;
  readonly sources: CoverSources;
  readonly bnf: Source;
  readonly openLibrary: Source;
  /** Counts a request for a cover by ISBN; `false` if the limit is reached. */
  readonly takeCounted: () => boolean;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

type Origine = AutreCouverture['origine'];
type Candidate = readonly [Origine, (signal: AbortSignal) => Promise<Image>];
type Note = (error: unknown) => void;

/** Pictures that nobody has chosen are removed (docs/rules.md § 43). */
export class OtherCovers {
  readonly #parts: OtherCoversParts;
  /** Pictures that are not chosen are removed at the next start if the timer has stopped. */
  readonly offers: Offers;

  constructor(parts: OtherCoversParts) {
    this.#parts = parts;
    const { clock, store, failed } = parts;
    this.offers = new Offers(clock, (cles) => void store.forget(cles).catch(failed));
  }

  /**
   * Pictures of the ISBN, then of the work's other editions; at most eight. Throws `CATALOGUES_INJOIGNABLES` without
   * any if a source did not respond, and the system's error for a full disk.
   */
  async list(wanted: Oeuvre, caller: QueueOwner): Promise<AutreCouverture[]> {
    const limit = AbortSignal.any([caller.signal, AbortSignal.timeout(SEARCH_TIMEOUT_MS)]);
    const failures: unknown[] = [];
    const note: Note = (error) => void failures.push(error);
    const candidates = await this.#candidates(wanted, { ...caller, signal: limit }, note);
    const fetched = await this.#fetchAll(candidates.slice(0, MAX_ASKED), limit, note);
    this.offers.add(caller.owner, fetched.keys());
    if (fetched.size === 0) refuseSilence(failures);
    return [...fetched.values()].slice(0, MAX_AUTRES);
  }

  /** Candidate addresses, the ISBN's own first; a failing source is recorded and counts as empty. */
  async #candidates(wanted: Oeuvre, caller: QueueOwner, note: Note): Promise<Candidate[]> {
    const { sources, takeCounted } = this.#parts;
    const orNone = (error: unknown): [] => {
      note(error);
      return [];
    };
    const [numbers, arks] = await Promise.all([
      this.#numbers(wanted, caller).catch(orNone),
      this.#arks(wanted, caller).catch(orNone),
    ]);
    const { isbn } = wanted;
    const of = (origine: Origine, ask: Candidate[1]): Candidate => [origine, ask];
    const own =
      isbn !== null && numbers.length === 0 && takeCounted()
        ? [of('openlibrary', (signal) => sources.first(`isbn:${isbn}`, signal))]
        : [];
    const others = Array.from({ length: Math.max(numbers.length, arks.length) }, (_, at) => [
      ...numbers
        .slice(at, at + 1)
        .map((number) => of('openlibrary', (signal) => sources.byNumber(number, signal))),
      ...arks.slice(at, at + 1).map((ark) => of('bnf', (signal) => sources.byArk(ark, signal))),
    ]);
    return [...own, ...others.flat()];
  }

  async #numbers({ titre, auteur, isbn }: Oeuvre, caller: QueueOwner) {
    const source = this.#parts.openLibrary;
    const found = isbn === null ? [] : await openLibrary.coverNumbersByIsbn(source, isbn, caller);
    return found.length > 0
      ? found
      : openLibrary.coverNumbersByTitre(source, titre, auteur, caller);
  }

  async #arks({ titre, auteur, isbn }: Oeuvre, caller: QueueOwner) {
    const source = this.#parts.bnf;
    const own = isbn === null ? [] : await bnf.recordsByIsbn(source, isbn, 'isbn13', caller);
    const others = await bnf.recordsByTitre(source, titre, auteur, caller);
    const sameWork = others.filter((record) => cleOeuvre(record.titre) === cleOeuvre(titre));
    return [...new Set([...own, ...sameWork].flatMap(({ id }) => id ?? []))];
  }

  async #fetchAll(
    candidates: readonly Candidate[],
    signal: AbortSignal,
    note: Note,
  ): Promise<Map<string, AutreCouverture>> {
    const found = new Map<number, AutreCouverture>();
    const isEnough = () => new Set(Array.from(found.values(), ({ cle }) => cle)).size >= MAX_AUTRES;
    const works = candidates.map((candidate, at) => async () => {
      if (isEnough() || signal.aborted) return;
      const picture = await this.#fetch(candidate, signal).catch(note);
      if (picture) found.set(at, picture);
    });
    await new PQueue({ concurrency: AT_A_TIME }).addAll(works);
    const inOrder = [...found].sort(([a], [b]) => a - b).map(([, picture]) => picture);
    return new Map(inOrder.map((picture) => [picture.cle, picture]));
  }

  async #fetch([origine, ask]: Candidate, signal: AbortSignal): Promise<AutreCouverture> {
    const picture = await this.#parts.store.add((await ask(signal)).content);
    const { cle, couleur, largeur, hauteur } = picture;
    return { cle, couleur, largeur, hauteur, origine };
  }
}

/** Throws for failures that do not mean « no picture »: a full disk, an unreachable source. */
function refuseSilence(failures: readonly unknown[]): void {
  for (const error of failures) if (error instanceof Error && isFullDisk(error)) throw error;
  if (failures.some((error) => failureOf(error) !== null))
    throw new Refusal('CATALOGUES_INJOIGNABLES');
}
