import { tick } from 'svelte';
import { emplacementOf } from '$lib/emplacements/path';
import { ApiError, type Refusal, refusalOf } from '$lib/api/call';
import { silenceSentence } from '$lib/format/sources';
import { m } from '$lib/paraglide/messages';
import { ajouterLivre, supprimerLivre } from '$lib/records/livres/kind.svelte';
import { livresView, onReader } from '$lib/records/livres/view.svelte';
import { seriesView } from '$lib/records/series/view.svelte';
import { lookUp, type LookupResult } from '$lib/recherche/lookup';
import { LookupTurns } from '$lib/recherche/lookup-turns';
import { ScanPile, type ScanLine } from '$lib/scanner/pile.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { feedback, type Batch } from '$lib/api/feedback.svelte';
import { views } from '$lib/sync/views.svelte';
import type { Edition } from '#shared/candidats';
import { isbnAsWritten } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { LivreDocument, LivreSaisi, LivreSaisiEnSerie } from '#shared/livres';
import type { SourceName } from '#shared/recherche';
import { findManquants } from '#shared/series-fit';
import { proposeSerie } from '#shared/series-titres';

/** A book as a line shows it. */
type LivreSummary = Pick<
  LivreDocument,
  'id' | 'titre' | 'auteurs' | 'editeur' | 'annee' | 'couverture'
>;

/** What has become of a code where no book of the house is it. */
type Unowned =
  /** `isLate`: it has waited for the catalogues for so long that a person may not want to. */
  | { readonly kind: 'pending'; readonly isLate?: boolean }
  /** The form shows it, which tells the rest. */
  | { readonly kind: 'inForm' | 'adding' | 'removed' }
  /** `texts`: what an earlier version has kept of a form that was begun. */
  | { readonly kind: 'unknown'; readonly texts?: Readonly<Record<string, string>> }
  | { readonly kind: 'choice'; readonly candidats: readonly Edition[] }
  /** Another edition of an owned work, or the same one under another code. */
  | { readonly kind: 'similar'; readonly saisie: LivreSaisiEnSerie; readonly livre: LivreSummary }
  | { readonly kind: 'silent'; readonly silentSources: readonly SourceName[] }
  | { readonly kind: 'revue'; readonly titre: string | null; readonly issn: string }
  /** `message` is why it is not added; `null` where nothing but the network was missing, if anything. */
  | { readonly kind: 'failed'; readonly message: string | null };

/** What has become of a scanned code. */
type ScannedState =
  | Unowned
  | { readonly kind: 'owned'; readonly livre: LivreSummary }
  /** `revision` is the one that it was added at. */
  | { readonly kind: 'added'; readonly livre: LivreSummary; readonly revision: number | null };

export type ScannedLine = ScanLine<ScannedState>;

interface Kept {
  readonly kind: ScannedState['kind'] | 'begun';
  readonly livreId?: number;
  /** Earlier versions kept none: they ask again. */
  readonly state?: Unowned;
  readonly texts?: Readonly<Record<string, string>>;
}

/** What is said of a code while the catalogues are left alone. */
const NOT_ASKED: LookupResult = { outcome: 'silent', silentSources: [] };

/** What a lookup says of a code, which the copy may know better. */
const CATALOGUES: readonly ScannedState['kind'][] = ['unknown', 'choice', 'silent'];

const SETTLED: readonly ScannedState['kind'][] = ['added', 'owned', 'removed'];

/** So long nobody is asked whether a code is to be kept as it is. */
const LATE_MS = 10_000;

/** What was scanned within so long is one evening's. */
const EVENING_MS = 12 * 60 * 60 * 1000;

/**
 * The codes of a pile of books, scanned by hand or by the camera: each is looked up, and added when the answer is
 * unambiguous. A code that is seen again is not looked up again, so nothing is added twice. They are kept for whoever
 * scanned them, for a week or until the list is put away.
 */
class Scanned {
  /** What is read out: the line that is done last, or that needs a decision. */
  announcement = $state('');
  /** A sentence that is replaced before it is drawn is read out to nobody. */
  #announcing: Promise<void> = Promise.resolve();
  /** Where the books that are added stand, as a path in words: one catalogues shelf by shelf. */
  emplacement = $state('');
  readonly pile: ScanPile<ScannedState, Kept> = new ScanPile<ScannedState, Kept>({
    name: 'scans',
    days: 7,
    settle: (line) => {
      if (line.state.kind === 'pending') void this.#ask(line);
    },
    isOver: ({ kind }) => SETTLED.includes(kind),
    keep: (state) =>
      state.kind === 'added' || state.kind === 'owned'
        ? { kind: state.kind, livreId: state.livre.id }
        : { kind: state.kind, state },
    // It was scanned again before it was known who reads.
    revive: (kept, code) => (this.pile.lineOf(code) === undefined ? revive(kept) : null),
  });
  readonly #turns = new LookupTurns({
    lookUp: (code) => lookUp(code),
    onrested: () => this.#probe(),
    onwake: () => this.#askAll(this.#silent),
  });
  /** The lines that were kept because no catalogue answered. */
  readonly #silently = new Set<string>();
  #isKeeping = false;
  /** One path is made once, however many books go there at a time. */
  #placing: { readonly path: string; readonly id: Promise<number | null> } | null = null;

  /** The lines of the list, what is to be finished first. */
  get lines(): readonly ScannedLine[] {
    const shown = this.pile.lines.filter(({ state }) => state.kind !== 'inForm');
    const isSettled = ({ state }: ScannedLine) => SETTLED.includes(state.kind);
    return [...shown.filter((line) => !isSettled(line)), ...shown.filter(isSettled)];
  }

  /** What was scanned in the last hours, the last first: an evening's books, and what has become of each. */
  get evening(): readonly ScannedLine[] {
    const since = Date.now() - EVENING_MS;
    return this.pile.lines.filter(({ date, state }) => date > since && state.kind !== 'inForm');
  }

  /** The books of the list, added and owned ones, the last first. */
  get livreIds(): readonly number[] {
    const ids = this.pile.lines.flatMap(({ state }) => livreIdOf(state) ?? []);
    return [...new Set(ids)].filter((id) => livresView.get(id) !== undefined);
  }

  /** The books that the list has added. */
  get addedIds(): readonly number[] {
    return this.pile.lines.flatMap(({ state }) => (state.kind === 'added' ? state.livre.id : []));
  }

  /** The books that the list has added, by the series with such a gap or by the series in their titles. */
  get bySerie(): ReadonlyMap<string, readonly number[]> {
    const groups = new Map<string, number[]>();
    for (const livreId of this.addedIds) {
      const serie = serieFor(livreId);
      if (serie !== null) groups.set(serie, [...(groups.get(serie) ?? []), livreId]);
    }
    return groups;
  }

  /** The lines that another lookup may settle. */
  get unanswered(): readonly ScannedLine[] {
    return this.lines.filter(({ state }) => state.kind === 'silent' || state.kind === 'failed');
  }

  /** The lines for which no catalogue answers, or not soon: each can be kept as a book with its code. */
  get keepable(): readonly ScannedLine[] {
    return this.lines.filter(
      ({ code, state }) =>
        isbnAsWritten(code) !== null &&
        ((state.kind === 'pending' && state.isLate === true) ||
          state.kind === 'silent' ||
          state.kind === 'unknown' ||
          (state.kind === 'failed' && state.message === null)),
    );
  }

  clear(): void {
    this.pile.drop(...this.lines);
  }

  /** Takes a code that is read; false where the list has it already. */
  see(code: string): boolean {
    const line = this.pile.lineOf(code);
    if (line !== undefined && line.state.kind !== 'inForm') return false;
    if (line !== undefined) this.pile.drop(line);
    this.pile.take(code, { kind: 'pending' });
    return true;
  }

  /** Gives a code a line with this state, in place of its earlier one. */
  note(code: string, state: ScannedState): ScannedLine {
    this.pile.drop(...this.pile.lines.filter((line) => line.code === code));
    return this.pile.take(code, state);
  }

  lookUp(line: ScannedLine): void {
    this.#turns.wake();
    this.#askAll([line]);
  }

  /** Looks up again what had no answer. */
  retryAll(): void {
    this.#turns.wake();
    this.#askAll(this.unanswered);
  }

  /** Settles what was looked up before the device had its copy, and is owned. */
  recogniseOwned(): void {
    for (const line of this.pile.lines)
      if (CATALOGUES.includes(line.state.kind)) this.#isOwned(line);
  }

  /** What a lookup in the form has said of a code, whose line goes on from there. */
  follow(code: string, result: LookupResult): void {
    const line = this.note(code, { kind: 'inForm' });
    if (!this.#isOwned(line)) this.#settle(line, stateOf(result));
  }

  /** Adds them, each titled by its code until somebody or a catalogue says more; one act. */
  async keepAll(): Promise<void> {
    await feedback.batch(
      async (batch) => {
        const asked = this.keepable.toReversed();
        for (const line of asked) {
          // It may have been found while the ones before were added.
          if (!this.keepable.includes(line)) continue;
          await this.add(line, titledByCode(line.code), false, batch);
        }
        return asked.filter(({ state }) => state.kind === 'added').length;
      },
      (count) => (count > 1 ? { text: m.codes_kept({ count }) } : undefined),
    );
  }

  /** Asks about what was scanned without a network, and keeps each code that nobody answers for as a book of its own. */
  async keepAsTheyCome(): Promise<void> {
    this.#askAll(
      this.lines.filter(({ state }) => state.kind === 'failed' && state.message === null),
    );
    if (this.#isKeeping) return;
    this.#isKeeping = true;
    try {
      // What was begun in a form is finished there.
      const next = () =>
        this.keepable.findLast(
          ({ state }) => state.kind !== 'unknown' || state.texts === undefined,
        );
      for (let line = next(); line !== undefined && connection.canWrite; line = next()) {
        if (line.state.kind !== 'unknown') this.#silently.add(line.id);
        await this.add(line, titledByCode(line.code));
      }
    } finally {
      this.#isKeeping = false;
    }
  }

  /** Whether a line was kept because no catalogue answered, and not because none knows it. */
  isKeptSilently = ({ id }: ScannedLine): boolean => this.#silently.has(id);

  /** Adds a book; a duplicate only when it is confirmed. */
  async add(
    line: ScannedLine,
    saisie: LivreSaisiEnSerie,
    confirmerDoublon = false,
    batch?: Batch,
  ): Promise<void> {
    this.pile.change(line, { kind: 'adding' });
    try {
      const emplacementId = await this.#emplacementId();
      const ajouter = (toldBy: Batch) =>
        ajouterLivre({ ...saisie, emplacementId }, { query: { confirmerDoublon }, batch: toldBy });
      // The line tells it, and takes it back.
      const livre = batch ? await ajouter(batch) : await feedback.withoutBar(ajouter);
      this.#settle(line, addedState(livre));
    } catch (error) {
      const similar = stateOfRefusal(refusalOf(error), line.code, saisie);
      this.#settle(line, similar ?? { kind: 'failed', message: messageOf(error) });
    }
  }

  /** Deletes what was added. The line stays: the camera may still see its code. */
  async remove(line: ScannedLine): Promise<void> {
    if (line.state.kind !== 'added') return;
    const { livre, revision } = line.state;
    try {
      await supprimerLivre(livre.id, { ifMatch: revision });
      this.#settle(line, { kind: 'removed' });
    } catch (error) {
      this.#settle(line, { kind: 'failed', message: messageOf(error) });
    }
  }

  get #silent(): readonly ScannedLine[] {
    return this.lines.filter(({ state }) => state.kind === 'silent');
  }

  #askAll(lines: readonly ScannedLine[]): void {
    for (const line of lines) {
      this.pile.change(line, { kind: 'pending' });
      void this.#ask(line);
    }
  }

  /** Whether the catalogues answer again, one code is asked for all. */
  #probe(): void {
    this.#askAll(this.#silent.slice(0, 1));
  }

  async #ask(line: ScannedLine): Promise<void> {
    if (this.#isOwned(line)) return;
    if (connection.state !== 'online') {
      this.#settle(line, { kind: 'failed', message: null });
      return;
    }
    // It may be kept by its code meanwhile, or the first copy may arrive.
    const isWaiting = () => line.state.kind === 'pending';
    const timer = setTimeout(() => {
      if (isWaiting()) this.pile.change(line, { kind: 'pending', isLate: true });
    }, LATE_MS);
    const result = (await this.#turns.ask(line.code)) ?? NOT_ASKED;
    clearTimeout(timer);
    if (!isWaiting() || this.#isOwned(line)) return;
    const [only] = result.outcome === 'one' ? result.candidats : [];
    if (only === undefined) this.#settle(line, stateOf(result));
    else await this.add(line, toSaisie(only));
  }

  #isOwned(line: ScannedLine): boolean {
    const [livre] = livresView.byIsbn(line.code);
    if (livre !== undefined) this.#settle(line, { kind: 'owned', livre });
    return livre !== undefined;
  }

  #settle(line: ScannedLine, state: ScannedState): void {
    if (state.kind === 'failed' || state.kind === 'silent') this.pile.fail(line, state);
    else this.pile.change(line, state);
    const sentence = sentenceOf(line);
    this.#announcing = this.#announcing.then(() => {
      this.announcement = sentence;
      return tick();
    });
  }

  async #emplacementId(): Promise<number | null> {
    const path = this.emplacement;
    if (this.#placing?.path !== path) this.#placing = { path, id: emplacementOf(path) };
    try {
      return await this.#placing.id;
    } finally {
      this.#placing = null;
    }
  }
}

export const scanned = new Scanned();

/** Keeps the list on this device. Call while a component is set up. */
export const keepScanned = (): void =>
  onReader((reader) => {
    scanned.recogniseOwned();
    scanned.pile.resume(reader);
  });

function revive({ kind, livreId, state, texts }: Kept): ScannedState {
  const livre = livreId === undefined ? undefined : livresView.get(livreId);
  if (kind === 'added') return livre ? addedState(livre) : { kind: 'removed' };
  if (kind === 'owned' && livre) return { kind, livre };
  if (texts !== undefined) return { kind: 'unknown', texts };
  // What was being added may have been: the lookup begins with what is owned.
  if (state?.kind === 'pending' || state?.kind === 'adding') return { kind: 'pending' };
  return state ?? { kind: 'failed', message: null };
}

const livreIdOf = (state: ScannedState): number | undefined =>
  state.kind === 'added' || state.kind === 'owned' ? state.livre.id : undefined;

export const addedState = (livre: LivreSummary): ScannedState => ({
  kind: 'added',
  livre,
  revision: views().revisionOf('livres', livre.id),
});

/** What a lookup that does not end in one record leaves to a person. */
function stateOf(result: LookupResult): ScannedState {
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
function stateOfRefusal(
  refusal: Refusal | null,
  code: string,
  saisie: LivreSaisiEnSerie,
): ScannedState | null {
  const [livre] = refusal?.code === 'DOUBLON' ? refusal.similaires : [];
  if (livre === undefined) return null;
  return livre.isbn === code ? { kind: 'owned', livre } : { kind: 'similar', saisie, livre };
}

function serieFor(livreId: number): string | null {
  const livre = livresView.get(livreId);
  if (livre === undefined) return null;
  const [manquant] = findManquants(livre, seriesView.all);
  if (manquant !== undefined) return manquant.serie.titre;
  if (seriesView.placesOfLivre(livreId).length > 0) return null;
  const proposal = proposeSerie(livre.titre, seriesView.all);
  return proposal && (proposal.known?.titre ?? proposal.serie);
}

/** A book of which nothing but its code is known. */
const titledByCode = (isbn: string): LivreSaisi => ({
  titre: formatIsbn(isbn),
  isbn,
  format: 'Physique',
});

const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : m.error_unexpected();

export const toSaisie = ({ source: _, sources: _sources, ...candidat }: Edition): LivreSaisi => ({
  ...candidat,
  format: 'Physique',
});

interface Labels {
  readonly titre: string;
  /** The second line of text. */
  readonly details: string;
  /** What has become of the code, in a word or two. */
  readonly status: string;
}

/** A line in a sentence, for who hears the screen. */
function sentenceOf(line: ScannedLine): string {
  const { titre, details, status } = labelsOf(line);
  return `${titre}, ${status === '' ? details : status}`;
}

export function labelsOf({ state, code: read }: ScannedLine): Labels {
  // A periodical's code has no hyphens.
  const code = read.startsWith('977') ? read : formatIsbn(read);
  const ofCode = (details: string, status = '') => ({ titre: code, details, status });
  switch (state.kind) {
    case 'pending':
    case 'adding':
    case 'inForm':
      return ofCode('', m.code_pending());
    case 'unknown':
      return ofCode('', m.code_not_found());
    case 'removed':
      return ofCode('', m.code_removed());
    case 'added':
    case 'owned': {
      const { titre, auteurs, editeur, annee } = state.livre;
      const edition = [...auteurs.map(({ nom }) => nom), editeur, annee];
      const status = state.kind === 'added' ? m.code_added() : m.code_possede();
      return { titre, details: edition.filter((text) => text !== null).join(', '), status };
    }
    case 'choice':
      return {
        titre: m.code_editions({ count: state.candidats.length }),
        details: code,
        status: '',
      };
    case 'similar': {
      const details = m.code_similaire({ titre: state.livre.titre });
      return { titre: state.saisie.titre, details, status: '' };
    }
    case 'silent':
      return ofCode(silenceSentence(state.silentSources) || m.code_silent());
    case 'revue':
      return {
        titre: state.titre ?? code,
        details: m.revue_issn({ issn: state.issn }),
        status: m.code_revue(),
      };
    case 'failed':
      return ofCode(state.message ?? connection.reasonNotToWrite ?? m.scan_to_ask_again());
  }
}

const SUMS: readonly [(inputs: { count: number }) => string, ...ScannedState['kind'][]][] = [
  [m.sum_added, 'added'],
  [m.sum_owned, 'owned'],
  [m.sum_unknown, 'unknown'],
  [m.sum_unfinished, 'choice', 'similar', 'silent', 'revue', 'failed'],
  [m.sum_removed, 'removed'],
  [m.sum_pending, 'pending', 'adding'],
];

/** « 12 ajoutés, 2 déjà là, 1 introuvable » */
export const sumOf = (lines: readonly ScannedLine[]): string =>
  SUMS.map(([label, ...kinds]) => ({
    label,
    count: lines.filter(({ state }) => kinds.includes(state.kind)).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => label({ count }))
    .join(', ');
