import { parseIsbn } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { LivreDocument, LivreSaisi, LivreSaisiEnSerie } from '#shared/livres';
import type { Edition } from '#shared/candidats';
import type { SourceName } from '#shared/recherche';
import { ApiError, refusalOf, type Refusal } from '$lib/api/error';
import type { LivreEntry } from '$lib/records/livres/entry.svelte';
import { ajouterLivre, supprimerLivre } from '$lib/records/livres/operations';
import { livresView } from '$lib/records/livres/view.svelte';
import { m } from '$lib/paraglide/messages';
import { feedback, type Batch } from '$lib/sync/feedback.svelte';
import { views } from '$lib/sync/views.svelte';
import type { LookupResult } from './lookup.ts';
import { LookupTurns } from './lookup-turns.ts';

/** A book as a line of the shelf shows it. */
export type LivreSummary = Pick<
  LivreDocument,
  'id' | 'titre' | 'auteurs' | 'editeur' | 'annee' | 'couverture'
>;

/** What has become of a scanned code. */
export type ShelfState =
  | { readonly kind: 'pending' | 'unknown' | 'removed' }
  | { readonly kind: 'owned'; readonly livre: LivreSummary }
  /** `revision` is the one that it was added at. */
  | { readonly kind: 'added'; readonly livre: LivreSummary; readonly revision: number | null }
  | { readonly kind: 'choice'; readonly candidats: readonly Edition[] }
  /** Another edition of an owned work, or the same one under another code. */
  | { readonly kind: 'similar'; readonly saisie: LivreSaisiEnSerie; readonly livre: LivreSummary }
  | { readonly kind: 'silent'; readonly silentSources: readonly SourceName[] }
  | { readonly kind: 'revue'; readonly titre: string | null; readonly issn: string }
  /** `message` is why it is not added; `null` where nothing but the network was missing, if anything. */
  | { readonly kind: 'failed'; readonly message: string | null }
  /** A form that a person has begun and is to finish. */
  | { readonly kind: 'begun'; readonly entry: LivreEntry; readonly message: string | null };

/** What is said of a code while the catalogues are left alone. */
const NOT_ASKED: LookupResult = { outcome: 'silent', silentSources: [] };

/** What a lookup says of a code, which the copy may know better. */
const CATALOGUES: ReadonlySet<ShelfState['kind']> = new Set(['unknown', 'choice', 'silent']);

/** So long nobody is asked whether a code is to be kept as it is. */
const LATE_MS = 10_000;

/** One scanned code. Its line stays, whatever its state. */
export class ShelfLine {
  readonly code: string;
  state = $state.raw<ShelfState>({ kind: 'pending' });
  /** Whether it has waited for the catalogues for so long that a person may not want to. */
  isLate = $state(false);
  /** Whether its book is being written. */
  isAdding = $state(false);

  constructor(code: string) {
    this.code = code;
  }

  /** The code with its hyphens; a periodical's as it is. */
  get displayedCode(): string {
    return this.code.startsWith('977') ? this.code : formatIsbn(this.code);
  }
}

/**
 * A shelf that is scanned book after book: each code is looked up, and added when the answer is
 * unambiguous. A code that is seen again is not looked up again, so nothing is added twice.
 */
export class Shelf {
  /** The last code first. */
  lines = $state.raw<readonly ShelfLine[]>([]);
  /** Where the books that are added stand. */
  emplacementId: () => Promise<number | null> = async () => null;
  readonly #onsettled: (line: ShelfLine) => void;
  readonly #turns = new LookupTurns(
    () => this.#probe(),
    () => void this.#askAll(this.#silent),
  );

  /** @param onsettled called with each line that is done, or that needs a decision */
  constructor(onsettled: (line: ShelfLine) => void) {
    this.#onsettled = onsettled;
  }

  lineOf(code: string): ShelfLine | undefined {
    return this.lines.find((line) => line.code === code);
  }

  /** Looks up again what had no answer. */
  async retryAll(): Promise<void> {
    this.#turns.wake();
    await this.#askAll(this.unanswered);
  }

  /** The lines for which no catalogue answers, or not soon: each can be kept as a book with its code. */
  get keepable(): readonly ShelfLine[] {
    return this.lines.filter(
      ({ code, state, isAdding }) =>
        !isAdding &&
        parseIsbn(code) !== null &&
        ((state.kind === 'pending' && this.isLate) ||
          state.kind === 'silent' ||
          state.kind === 'unknown' ||
          (state.kind === 'failed' && state.message === null)),
    );
  }

  /** Whether one of them makes a person wait. */
  get isLate(): boolean {
    return this.lines.some(({ isLate }) => isLate);
  }

  /** Adds them, each titled by its code until somebody or a catalogue says more; one act. */
  async keepAll(): Promise<void> {
    await feedback.batch(
      async (batch) => {
        const asked = this.keepable.toReversed().map((line) => ({ line, state: line.state }));
        for (const { line, state } of asked) {
          // It may have been answered while the ones before were added.
          if (line.state !== state) continue;
          const saisie: LivreSaisi = {
            titre: line.displayedCode,
            isbn: line.code,
            format: 'Physique',
          };
          await this.add(line, saisie, false, batch);
        }
        return asked.filter(({ line }) => line.state.kind === 'added').length;
      },
      (count) => (count > 1 ? { text: m.codes_kept({ count }) } : undefined),
    );
  }

  get #silent(): readonly ShelfLine[] {
    return this.lines.filter(({ state }) => state.kind === 'silent');
  }

  async #askAll(lines: readonly ShelfLine[]): Promise<void> {
    await Promise.all(lines.map((line) => this.#ask(line)));
  }

  /** Whether the catalogues answer again, one code is asked for all. */
  #probe(): void {
    const [line] = this.#silent;
    if (line !== undefined) void this.#ask(line);
  }

  /** The lines that another lookup may settle. */
  get unanswered(): readonly ShelfLine[] {
    return this.lines.filter(({ state }) => state.kind === 'silent' || state.kind === 'failed');
  }

  /** Takes a code that is read; false where the shelf has it already. */
  see(code: string): boolean {
    if (this.lineOf(code) !== undefined) return false;
    const line = new ShelfLine(code);
    this.lines = [line, ...this.lines];
    void this.#ask(line);
    return true;
  }

  /**
   * Gives a code a new line with this state; it replaces the code's earlier line.
   *
   * @param isQuiet it is nothing new
   */
  put(code: string, state: ShelfState, isQuiet = false): void {
    const line = new ShelfLine(code);
    this.lines = [line, ...this.lines.filter((other) => other.code !== code)];
    if (isQuiet) line.state = state;
    else this.#settle(line, state);
  }

  drop(line: ShelfLine): void {
    this.lines = this.lines.filter((other) => other !== line);
  }

  async lookUp(line: ShelfLine): Promise<void> {
    this.#turns.wake();
    await this.#ask(line);
  }

  async #ask(line: ShelfLine): Promise<void> {
    if (this.#isOwned(line)) return;
    const asked: ShelfState = { kind: 'pending' };
    line.state = asked;
    // It may be kept by its code meanwhile, or the first copy may arrive.
    const isWaiting = () => line.state === asked;
    const timer = setTimeout(() => (line.isLate = isWaiting()), LATE_MS);
    const result = (await this.#turns.ask(line.code)) ?? NOT_ASKED;
    clearTimeout(timer);
    if (!isWaiting()) return;
    line.isLate = false;
    if (!this.#isOwned(line)) await this.#follow(line, result);
  }

  #isOwned(line: ShelfLine): boolean {
    const [livre] = livresView.byIsbn(line.code);
    if (livre !== undefined) this.#settle(line, { kind: 'owned', livre });
    return livre !== undefined;
  }

  /** Settles what was looked up before the device had its copy, and is owned. */
  recogniseOwned(): void {
    for (const line of this.lines) if (CATALOGUES.has(line.state.kind)) this.#isOwned(line);
  }

  /** Adds a book; a duplicate only when it is confirmed. */
  async add(
    line: ShelfLine,
    saisie: LivreSaisiEnSerie,
    confirmerDoublon = false,
    batch?: Batch,
  ): Promise<void> {
    line.state = { kind: 'pending' };
    line.isLate = false;
    line.isAdding = true;
    try {
      const emplacementId = await this.emplacementId();
      const ajouter = (toldBy: Batch) =>
        ajouterLivre({ ...saisie, emplacementId }, { query: { confirmerDoublon }, batch: toldBy });
      // The line tells it, and takes it back.
      const livre = batch ? await ajouter(batch) : await feedback.untold(ajouter);
      this.#settle(line, addedState(livre));
    } catch (error) {
      const refused = stateOfRefusal(refusalOf(error), line.code, saisie);
      this.#settle(line, refused ?? { kind: 'failed', message: messageOf(error) });
    } finally {
      line.isAdding = false;
    }
  }

  /** Deletes what was added. The line stays: the camera may still see its code. */
  async remove(line: ShelfLine): Promise<void> {
    if (line.state.kind !== 'added') return;
    const { livre, revision } = line.state;
    try {
      await supprimerLivre(livre.id, { ifMatch: revision });
      this.#settle(line, { kind: 'removed' });
    } catch (error) {
      this.#settle(line, { kind: 'failed', message: messageOf(error) });
    }
  }

  async #follow(line: ShelfLine, result: LookupResult): Promise<void> {
    if (result.outcome === 'one' && result.candidats[0] !== undefined)
      await this.add(line, toSaisie(result.candidats[0]));
    else this.#settle(line, stateOf(result));
  }

  #settle(line: ShelfLine, state: ShelfState): void {
    line.state = state;
    this.#onsettled(line);
  }
}

export const addedState = (livre: LivreSummary): ShelfState => ({
  kind: 'added',
  livre,
  revision: views().revisionOf('livres', livre.id),
});

/** What a lookup that does not end in one record leaves to a person. */
export function stateOf(result: LookupResult): ShelfState {
  switch (result.outcome) {
    case 'one':
    case 'many':
      return { kind: 'choice', candidats: result.candidats };
    case 'none':
      return { kind: 'unknown' };
    case 'silent':
      return { kind: 'silent', silentSources: result.silentSources };
    case 'revue':
      return { kind: 'revue', titre: result.titre, issn: result.issn };
    case 'invalid':
    case 'failed':
      return { kind: 'failed', message: result.message };
  }
}

/** The book that one which was refused resembles; `null` for every other refusal. */
export function stateOfRefusal(
  refusal: Refusal | null,
  code: string,
  saisie: LivreSaisiEnSerie,
): ShelfState | null {
  const [livre] = refusal?.code === 'DOUBLON' ? refusal.similaires : [];
  if (livre === undefined) return null;
  return livre.isbn === code ? { kind: 'owned', livre } : { kind: 'similar', saisie, livre };
}

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : m.error_unexpected();

export const toSaisie = ({ source: _, sources: _sources, ...candidat }: Edition): LivreSaisi => ({
  ...candidat,
  format: 'Physique',
});
