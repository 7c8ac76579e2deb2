import { untrack } from 'svelte';
import { emplacementOf } from '$lib/emplacements/path.svelte';
import { type Refusal, refusalOf } from '$lib/api/call';
import { feedback } from '$lib/api/feedback.svelte';
import { newKey } from '$lib/api/write.svelte';
import { m } from '$lib/paraglide/messages';
import { ajouterLivre, copySaisie, livres, supprimerLivre } from '$lib/records/livres/kind.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { snapshotOf } from '$lib/records/rewrite';
import { codeKey, parseCode } from '$lib/recherche/code';
import { lookUpCode, type LookupResult } from '$lib/recherche/lookup.svelte';
import { LookupTurns } from '$lib/recherche/lookup-turns';
import { keepScans, ScanList } from '$lib/scanner/scan-list.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { unawaited } from '$lib/sync/report';
import type { Edition } from '#shared/candidats';
import { formatIsbn } from '#shared/isbn-format';
import {
  isOurs,
  type EmpruntSaisi,
  type LivreDocument,
  type LivreSaisi,
  type LivreSaisiEnSerie,
} from '#shared/livres';
import { choices, newReading } from './choices.svelte.ts';
import { noteReading } from './follow-ups.ts';
import {
  jacketTitre,
  livreOf,
  sentenceOf,
  stateOf,
  type ScanSessionItem,
  type ScanSessionState,
  type LivreSummary,
  type Reading,
  type SentCopy,
  type Texts,
  type UnownedState,
} from './scan-session-item.ts';

interface Note {
  readonly kind: ScanSessionState['kind'];
  readonly livreId?: number;
  readonly state?: UnownedState & Reading;
  readonly times?: number | undefined;
  readonly copy?: SentCopy | undefined;
  readonly emprunt?: EmpruntSaisi | undefined;
  readonly texts?: Texts;
}

/** The result of a code while the catalogues are not asked. */
const NOT_ASKED: LookupResult = { outcome: 'silent', silentSources: [] };

const SETTLED: readonly ScanSessionState['kind'][] = ['added', 'owned', 'removed'];

/** States that are looked up again after a reload. */
const UNANSWERED: readonly ScanSessionState['kind'][] = ['pending', 'adding', 'failed'];

/** How long the catalogues may take before a book is added by its code alone. */
const LATE_MS = 10_000;

const SCAN_SESSION_MS = 12 * 60 * 60 * 1000;

const canAsk = (): boolean => connection.state === 'online' && connection.canWrite;

/**
 * The codes scanned one after another, by hand or by the camera. Each is looked up, and added if the answer is
 * unambiguous; a code unknown to the catalogues is added alone, and gets its title later. Stored for the scanning
 * reader, for a week.
 */
class ScanSession {
  /** The code that was read last on this visit, perhaps not for the first time. */
  lastCode = $state.raw<string | null>(null);
  readonly scans: ScanList<ScanSessionState, Note> = new ScanList<ScanSessionState, Note>({
    name: 'scans',
    days: 7,
    sentenceOf,
    advance: (line) => {
      if (line.state.kind === 'pending') unawaited(this.#ask(line), 'looking a code up');
    },
    isDone: ({ kind }) => SETTLED.includes(kind),
    keep: (state) =>
      state.kind === 'added' || state.kind === 'owned'
        ? {
            kind: state.kind,
            livreId: state.livre.id,
            times: state.times,
            copy: state.copy,
            emprunt: state.emprunt,
          }
        : { kind: state.kind, state },
    // The code was scanned again before the reader was known.
    revive: (kept, code) => (this.scans.itemOf(code) === undefined ? revive(kept) : null),
  });
  readonly #turns = new LookupTurns(lookUpCode, LATE_MS);
  /** Ids of the lines that were added by their codes because no catalogue answered. */
  readonly #silently = new Set<string>();
  /** Locations being found or created, by path: each is created once, however many books go there. */
  readonly #placing = new Map<string, Promise<number | null>>();

  /** Items of the last hours, the latest first, and unfinished older ones. */
  get items(): readonly ScanSessionItem[] {
    const since = Date.now() - SCAN_SESSION_MS;
    return this.scans.items.filter(
      ({ date, state: { kind } }) => kind !== 'inForm' && (date > since || !SETTLED.includes(kind)),
    );
  }

  /** The item of a code, which the form may show; one finished on another day is dropped, and looked up again. */
  currentLineOf(code: string): ScanSessionItem | undefined {
    const line = this.scans.itemOf(code);
    if (line === undefined || line.state.kind === 'inForm' || this.items.includes(line))
      return line;
    this.scans.drop(line);
    return undefined;
  }

  /** The sentence that the code read last is not a book's; empty if it is. */
  get saidOfNone(): string {
    const { item: line, text } = this.scans.said;
    return line === undefined ? text : '';
  }

  /** Begins a visit: clears the last code and message. */
  begin(): void {
    this.lastCode = null;
    if (this.saidOfNone !== '') this.scans.say('');
  }

  /** Handles a scanned or typed code. @returns as `see` */
  read(text: string): boolean {
    if (parseCode(text).kind === 'unknown') {
      this.scans.say(m.scanner_not_a_livre());
      return false;
    }
    if (this.saidOfNone !== '') this.scans.say('');
    this.lastCode = codeKey(text);
    return this.see(this.lastCode);
  }

  /**
   * Handles a read code. Counts the readings of an existing item, and looks it up again if it had no response
   * (docs/rules.md § 49).
   *
   * @returns false if the reading does not count: the camera may still see a removed book's code
   */
  see(code: string): boolean {
    const line = this.currentLineOf(code);
    if (line === undefined || line.state.kind === 'inForm') {
      this.note(code, { kind: 'pending' });
      return true;
    }
    const { kind } = stateOf(line);
    if (kind === 'removed') {
      this.scans.announce(line);
      return false;
    }
    const count = this.countAgain(line);
    this.scans.say(m.scan_line_again({ titre: jacketTitre(line), count }), line);
    if (kind === 'failed') {
      this.scans.change(line, { ...line.state, ...this.#where });
      this.lookUpLines(line);
    }
    return true;
  }

  /** @returns how often the line's code was read by now */
  countAgain(line: ScanSessionItem): number {
    const times = (line.state.times ?? 1) + 1;
    this.scans.change(line, { ...line.state, times });
    return times;
  }

  /** Adds an item with this state, replacing the code's earlier one. */
  note(code: string, state: ScanSessionState): ScanSessionItem {
    const earlier = this.scans.items.filter((line) => line.code === code);
    this.scans.drop(...earlier);
    const times = state.kind === 'removed' ? undefined : earlier[0]?.state.times;
    return this.scans.take(code, { ...this.#where, times, ...state });
  }

  /** The location and lender for the following codes. */
  get #where(): Pick<ScanSessionState, 'emplacement' | 'emprunt'> {
    return { emplacement: choices().emplacement, emprunt: choices().emprunt ?? undefined };
  }

  /** Shows the added book of an item; a further copy gets an item of its own. */
  noteAdded(
    line: ScanSessionItem,
    livre: LivreSummary,
    emplacement = choices().emplacement,
  ): ScanSessionItem {
    const { kind, times = 1, emprunt } = line.state;
    if (kind !== 'added' && kind !== 'owned') {
      const { times: read } = line.state;
      this.scans.change(line, { ...addedState(livre), emplacement, emprunt, times: read });
      return line;
    }
    const left = times > 2 ? times - 1 : undefined;
    this.scans.change(line, { ...line.state, times: left, copy: undefined });
    return this.scans.take(line.code, { emplacement, emprunt, ...addedState(livre) });
  }

  /** The book of a line was taken away: the camera may still see its code. */
  noteRemoved(line: ScanSessionItem): void {
    this.#change(line, { kind: 'removed' });
  }

  /** Looks up again, even while silent catalogues are left alone. */
  lookUpLines(...lines: readonly ScanSessionItem[]): void {
    this.#turns.wake();
    for (const line of lines) {
      this.#change(line, { kind: 'pending' });
      unawaited(this.#ask(line), 'looking a code up');
    }
  }

  askAgain(): void {
    const unanswered = this.scans.items.filter(({ state }) => state.kind === 'failed');
    if (unanswered.length > 0) this.lookUpLines(...unanswered);
  }

  /** Adds an item that continues from the form's lookup. */
  follow(code: string, result: LookupResult): void {
    unawaited(this.#conclude(this.note(code, { kind: 'adding' }), result), 'adding a scanned book');
  }

  isKeptSilently = ({ id }: ScanSessionItem): boolean => this.#silently.has(id);

  async add(
    line: ScanSessionItem,
    saisie: LivreSaisiEnSerie,
    confirmerDoublon = false,
  ): Promise<void> {
    this.#change(line, { kind: 'adding' });
    await this.#carry(
      line,
      async () => {
        const emplacementId = await this.#emplacementId(
          line.state.emplacement ?? choices().emplacement,
        );
        if (!this.scans.isHere(line)) return null;
        // The item shows the addition, and undoes it.
        const livre = await feedback.withoutBar(async (batch) => {
          const added = await ajouterLivre(
            { ...saisie, emplacementId, emprunteA: line.state.emprunt ?? null },
            { query: { confirmerDoublon }, batch },
          );
          await noteReading(added.id, batch, newReading());
          return added;
        });
        return addedState(livre);
      },
      (refusal) => stateOfRefusal(refusal, line.code, saisie),
    );
  }

  /** @param send returns `null` if the item is gone */
  async #carry(
    line: ScanSessionItem,
    send: () => Promise<ScanSessionState | null>,
    afterRefusal: (refusal: Refusal | null) => ScanSessionState | null = () => null,
  ): Promise<void> {
    await this.scans.carry(
      line,
      async () => {
        const state = await send();
        return state === null ? line.state : readAs(line, state);
      },
      ({ refusal, message }) => readAs(line, afterRefusal(refusal) ?? { kind: 'failed', message }),
    );
    if (this.scans.isHere(line)) this.scans.announce(line);
  }

  /** Adds the book of a line once more: another copy, of which only the code was read. Throws an `ApiError`. */
  async addCopy(line: ScanSessionItem): Promise<void> {
    const livre = livreOf(line);
    if (livre === undefined) return;
    const { emplacement = choices().emplacement, emprunt = null } = line.state;
    const copy = line.state.copy ?? (await this.#copyOf(livre, { emplacement, emprunt }));
    if (!this.scans.isHere(line)) return;
    this.scans.change(line, { ...line.state, copy });
    try {
      const added = await feedback.withoutBar((batch) =>
        ajouterLivre(copy.saisie, { key: copy.key, query: { confirmerDoublon: true }, batch }),
      );
      this.scans.announce(this.noteAdded(line, added, emplacement));
    } catch (error) {
      // A refused copy is not added.
      if (refusalOf(error) !== null) this.scans.change(line, { ...line.state, copy: undefined });
      throw error;
    }
  }

  async #copyOf(
    livre: LivreDocument,
    { emplacement, emprunt }: { emplacement: string; emprunt: EmpruntSaisi | null },
  ): Promise<SentCopy> {
    const emplacementId = await this.#emplacementId(emplacement);
    return { key: newKey(), saisie: { ...copySaisie(livre), emplacementId, emprunteA: emprunt } };
  }

  /** Deletes an added book; its item stays, since the camera may still see its code. Removes any other item. */
  async remove(line: ScanSessionItem): Promise<void> {
    if (line.state.kind !== 'added') {
      this.scans.drop(line);
      return;
    }
    const { livre, revision } = line.state;
    await this.#carry(line, async () => {
      await supprimerLivre(livre.id, { ifMatch: revision });
      return { kind: 'removed' };
    });
  }

  async #ask(line: ScanSessionItem): Promise<void> {
    if (this.#isOwned(line)) return;
    if (!canAsk()) {
      this.#finish(line, { kind: 'failed', message: null });
      return;
    }
    const result = (await this.#turns.ask(line.code)) ?? NOT_ASKED;
    // The item may have been looked up again or removed meanwhile.
    if (line.state.kind === 'pending' && this.scans.isHere(line))
      await this.#conclude(line, result);
  }

  async #conclude(line: ScanSessionItem, result: LookupResult): Promise<void> {
    // The first copy may have been replicated meanwhile.
    if (this.#isOwned(line)) return;
    const code = parseCode(line.code);
    switch (result.outcome) {
      case 'one':
      case 'many': {
        const { candidats } = result;
        const [only, ...others] = candidats;
        if (only !== undefined && others.length === 0) await this.add(line, toSaisie(only));
        else this.#finish(line, { kind: 'choice', candidats });
        break;
      }
      case 'none':
      case 'silent':
        if (code.kind !== 'livre') {
          this.#finish(
            line,
            code.kind === 'revue'
              ? { ...code, titre: null }
              : { kind: 'failed', message: m.scanner_not_a_livre() },
          );
          break;
        }
        if (result.outcome === 'silent') this.#silently.add(line.id);
        await this.add(line, titledByCode(code.isbn));
        break;
      case 'revue':
        this.#finish(line, { kind: 'revue', titre: result.titre, issn: result.issn });
        break;
      case 'invalid':
      case 'failed':
        this.#finish(line, { kind: 'failed', message: result.message });
    }
  }

  #isOwned(line: ScanSessionItem): boolean {
    const copies = livresView.byIsbn(line.code);
    // Prefer a copy with the same ownership: borrowed for borrowed, owned for owned.
    const isAlike = (one: LivreDocument) => isOurs(one) === (line.state.emprunt === undefined);
    const livre = copies.find(isAlike) ?? copies[0];
    if (livre !== undefined) this.#finish(line, { kind: 'owned', livre });
    return livre !== undefined;
  }

  #change(line: ScanSessionItem, state: ScanSessionState): void {
    if (state.kind === 'failed') this.scans.fail(line, readAs(line, state));
    else this.scans.change(line, readAs(line, state));
  }

  #finish(line: ScanSessionItem, state: ScanSessionState): void {
    this.#change(line, state);
    this.scans.announce(line);
  }

  #emplacementId(path: string): Promise<number | null> {
    const known = this.#placing.get(path);
    if (known !== undefined) return known;
    const made = emplacementOf(path).finally(() => this.#placing.delete(path));
    this.#placing.set(path, made);
    return made;
  }
}

export const scanSession = new ScanSession();

/** Stores the session on this device, and retries whenever the network returns. Call during a component's setup. */
export function keepScanSession(): void {
  keepScans(scanSession.scans);
  const isBack = $derived(canAsk());
  $effect(() => {
    if (isBack) untrack(() => scanSession.askAgain());
  });
}

/** A new state that keeps the location, lender and count of readings of an item. */
const readAs = (
  { state: { emplacement, emprunt, times } }: ScanSessionItem,
  state: ScanSessionState,
): ScanSessionState => ({
  ...state,
  emplacement,
  emprunt,
  times: state.kind === 'removed' ? undefined : times,
});

function revive({ kind, livreId, state, times, copy, emprunt, texts }: Note): ScanSessionState {
  const livre = livreId === undefined ? undefined : livresView.get(livreId);
  if (kind === 'added')
    return livre ? { ...addedState(livre), times, copy, emprunt } : { kind: 'removed' };
  if (kind === 'owned' && livre) return { kind, livre, times, copy, emprunt };
  if (texts !== undefined) return { kind: 'begun', texts };
  // A book that was being added may exist by now: the lookup looks in the household first.
  return state === undefined || UNANSWERED.includes(state.kind)
    ? {
        kind: 'pending',
        emplacement: state?.emplacement,
        emprunt: state?.emprunt ?? emprunt,
        times: state?.times ?? times,
      }
    : state;
}

export const addedState = (livre: LivreSummary): ScanSessionState => ({
  kind: 'added',
  livre,
  revision: snapshotOf(livres, livre.id)?.revision ?? null,
});

/** The item's state for a refused duplicate; `null` for any other refusal. */
function stateOfRefusal(
  refusal: Refusal | null,
  code: string,
  saisie: LivreSaisiEnSerie,
): ScanSessionState | null {
  const [livre] = refusal?.code === 'DOUBLON' ? refusal.similaires : [];
  if (livre === undefined) return null;
  return livre.isbn === code ? { kind: 'owned', livre } : { kind: 'similar', saisie, livre };
}

const titledByCode = (isbn: string): LivreSaisi => ({
  titre: formatIsbn(isbn),
  isbn,
  format: 'Physique',
});

export const toSaisie = ({ source: _, sources: _sources, ...candidat }: Edition): LivreSaisi => ({
  ...candidat,
  format: 'Physique',
});
