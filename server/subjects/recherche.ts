import type { FastifyInstance } from 'fastify';
import { fallbackCoverUrl } from '#shared/couvertures';
import { printedCode } from '#shared/codes';
import { isbnAsWritten, otherCodeOf } from '#shared/isbn';
import type { Locale } from '#shared/locale';
import { digitsOfCode977, issnOfCode977 } from '#shared/issn';
import * as api from '#shared/recherche';
import {
  MAX_CANDIDATS,
  MAX_CANDIDATS_BY_TITRE,
  type Candidat,
  type RechercheIsbn,
  type RechercheLivre,
  type RechercheRevue,
  type RechercheTitre,
  type SourceAnswer,
  type SourceName,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import { cleOeuvre, cleRegroupement, searchForm } from '#shared/text';
import type { Config } from '#server/config';
import type { Reader } from '#server/plumbing/database/connection';
import { queueOwnerOf } from '#server/plumbing/http/request';
import { mount } from '#server/plumbing/http/mount';
import { read, type Exchange } from '#server/plumbing/writes/operations';
import {
  SourceUnreachable,
  type SourceRecord,
  type Sources,
} from '#server/plumbing/upstream/sources';
import * as bnf from '#server/plumbing/upstream/bnf';
import * as openLibrary from '#server/plumbing/upstream/openlibrary';
import type { QueueOwner } from '#server/plumbing/upstream/queue';
import { revueIdByIssn } from '#server/subjects/revues/revues';

interface FoundRecord {
  readonly source: SourceName;
  readonly record: SourceRecord;
}

/** The records found by the steps of a lookup, and whether each source responded. */
export class LookupResults {
  readonly #max: number;
  readonly #signal: AbortSignal;
  readonly #records = new Map<string, FoundRecord>();
  readonly #states = new Map<SourceName, SourceAnswer['etat']>();

  /** @param signal aborted when the caller stops waiting: no further step runs then */
  constructor(max: number, signal: AbortSignal) {
    this.#max = max;
    this.#signal = signal;
  }

  get records(): FoundRecord[] {
    return [...this.#records.values()].slice(0, this.#max);
  }

  get sources(): SourceAnswer[] {
    return [...this.#states].map(([nom, etat]) => ({ nom, etat }));
  }

  /** A source is `injoignable` if any of its questions failed, or was answered in part (`markUnreachable`). */
  async ask(
    source: SourceName,
    question: (markUnreachable: () => void) => Promise<readonly SourceRecord[]>,
  ): Promise<void> {
    if (this.#records.size >= this.#max || this.#signal.aborted) return;
    const markUnreachable = (): void => void this.#states.set(source, 'injoignable');
    if (!this.#states.has(source)) this.#states.set(source, 'ok');
    try {
      for (const record of await question(markUnreachable)) this.#add(source, record);
    } catch (error) {
      if (!(error instanceof SourceUnreachable)) throw error;
      markUnreachable();
    }
  }

  /** Adds a record of a source once, by its id or else its content. */
  #add(source: SourceName, record: SourceRecord): void {
    const key = `${source} ${record.id ?? JSON.stringify(record)}`;
    if (!this.#records.has(key)) this.#records.set(key, { source, record });
  }
}

interface LookupContext {
  readonly sources: Sources;
  readonly coversSite: string;
  /** The household's language: in English Open Library is asked first. */
  readonly locale: Locale;
  readonly caller: QueueOwner;
}

/**
 * Looks up a code in the catalogues: a book, or the periodical of a 977 code, which is recognised before any ISBN
 * check. Throws `ISBN_INVALIDE`; unreachable sources are no refusal.
 *
 * @param findRevueId the household's periodical with an ISSN in the hyphenated form
 */
async function lookUpCode(
  context: LookupContext,
  code: string,
  findRevueId: (issn: string) => number | null,
): Promise<RechercheIsbn> {
  const printed = printedCode(code);
  const revue = issnOfCode977(printed);
  if (revue !== null) {
    if (revue.issn === null)
      throw new Refusal('ISBN_INVALIDE', { revue: digitsOfCode977(printed) });
    return lookUpRevue(context, revue.issn, findRevueId);
  }
  const isbn = isbnAsWritten(code);
  if (isbn === null) throw new Refusal('ISBN_INVALIDE', { revue: null, sorte: otherCodeOf(code) });
  return lookUpLivre(context, isbn);
}

/** The catalogues in the order for a language. */
const inOrderOf = <T>(locale: Locale, ofBnf: T, ofOpenLibrary: T): readonly T[] =>
  locale === 'en' ? [ofOpenLibrary, ofBnf] : [ofBnf, ofOpenLibrary];

async function lookUpLivre(
  { sources, caller, coversSite, locale }: LookupContext,
  isbn: string,
): Promise<RechercheLivre> {
  const results = new LookupResults(MAX_CANDIDATS, caller.signal);
  const askBnf = async (): Promise<void> => {
    await results.ask('bnf', () => bnf.recordsByIsbn(sources.bnf, isbn, 'isbn13', caller));
    await results.ask('bnf', () => bnf.recordsByIsbn(sources.bnf, isbn, 'isbn10', caller));
    const state = results.sources.find(({ nom }) => nom === 'bnf');
    const ark = results.records.find(
      ({ source, record }) => source === 'bnf' && record.id !== null,
    );
    if (state?.etat === 'ok') sources.arks.note(isbn, ark?.record.id ?? null);
  };
  const askOpenLibrary = (): Promise<void> =>
    results.ask('openlibrary', async (markUnreachable) => {
      const found = await openLibrary.editionByIsbn(sources.openLibrary, isbn, caller);
      if (!found.isComplete) markUnreachable();
      return found.record === null ? [] : [found.record];
    });
  for (const ask of inOrderOf(locale, askBnf, askOpenLibrary)) await ask();
  const candidats = results.records.map((found) => toCandidat(found, isbn, coversSite));
  return { type: 'livre', isbn, candidats, sources: results.sources };
}

async function lookUpRevue(
  { sources, caller }: LookupContext,
  issn: string,
  findRevueId: (issn: string) => number | null,
): Promise<RechercheRevue> {
  const results = new LookupResults(1, caller.signal);
  await results.ask('bnf', () => bnf.recordsByIssn(sources.bnf, issn, caller));
  const titre = results.records[0]?.record.titre ?? null;
  return { type: 'revue', issn, titre, revueId: findRevueId(issn), sources: results.sources };
}

interface AskedTitre {
  readonly titre: string;
  readonly auteur: string | null;
}

/**
 * Best match first, from the first catalogue, or from the other if it has none or does not respond (docs/rules.md §
 * 23).
 */
async function lookUpTitre(
  { sources, caller, coversSite, locale }: LookupContext,
  asked: AskedTitre,
): Promise<RechercheTitre> {
  const { titre, auteur } = asked;
  const results = new LookupResults(MAX_CANDIDATS_BY_TITRE, caller.signal);
  const askBnf = (): Promise<void> =>
    results.ask('bnf', async () =>
      bestFirst(await bnf.recordsByTitre(sources.bnf, titre, auteur, caller), asked),
    );
  const askOpenLibrary = (): Promise<void> =>
    results.ask('openlibrary', async () =>
      bestFirst(await openLibrary.worksByTitre(sources.openLibrary, titre, auteur, caller), asked),
    );
  const [first, second] = inOrderOf(locale, askBnf, askOpenLibrary);
  await first?.();
  if (results.records.length === 0) await second?.();
  const candidats = results.records.map((found) =>
    toCandidat(found, found.record.isbns[0] ?? null, coversSite),
  );
  return { candidats, sources: results.sources };
}

/**
 * Sorted by: the requested author, the exact title, the same work, a similar beginning; then in the source's order
 * (docs/rules.md § 23).
 */
export function bestFirst<R extends SourceRecord>(records: readonly R[], asked: AskedTitre): R[] {
  return records
    .map((record) => ({ record, score: scoreOf(record, asked) }))
    .sort((a, b) => b.score - a.score)
    .map(({ record }) => record);
}

function scoreOf({ titre, auteurs }: SourceRecord, { titre: asked, auteur }: AskedTitre): number {
  const isAuteur =
    auteur !== null && auteurs.some((nom) => cleRegroupement(nom) === cleRegroupement(auteur));
  return titreScore(titre, asked) + (isAuteur ? 4 : 0);
}

function titreScore(titre: string, asked: string): number {
  const [mine, wanted] = [searchForm(titre), searchForm(asked)];
  if (mine === wanted) return 3;
  if (cleOeuvre(titre) === cleOeuvre(asked)) return 2;
  return `${mine} `.startsWith(`${wanted} `) ? 1 : 0;
}

/** The cover is Open Library's for that ISBN, and is not checked. */
function toCandidat({ source, record }: FoundRecord, isbn: string | null, site: string): Candidat {
  const { titre, auteurs, editeur, annee, nombrePages, typeDocument, details } = record;
  const coverUrl = isbn === null ? null : fallbackCoverUrl(site, isbn);
  return {
    source,
    titre,
    auteurs: [...auteurs],
    editeur,
    annee,
    nombrePages,
    isbn,
    coverUrl,
    ...(typeDocument === undefined ? {} : { typeDocument }),
    ...(details.length > 0 && { details: [...details] }),
  };
}

export const isSilent = ({ sources }: Pick<RechercheIsbn, 'sources'>): boolean =>
  sources.some(({ etat }) => etat === 'injoignable');

export const isUnanswered = (found: RechercheIsbn): boolean =>
  isSilent(found) && (found.type === 'revue' ? found.titre === null : found.candidats.length === 0);

/** The catalogues for imports and completions: after people's own lookups, with pauses while no source responds. */
export interface BackgroundLookups {
  readonly ask: (isbn: string, signal: AbortSignal) => Promise<RechercheIsbn>;
  /** Whether no catalogue has answered for a while. */
  readonly areSilent: () => boolean;
}

export const backgroundLookups = ({
  sources,
  coversSite,
  locale,
}: Omit<LookupContext, 'caller'>): BackgroundLookups => ({
  ask: (isbn, signal) =>
    sources.background.ask(
      signal,
      () =>
        lookUpCode(
          { sources, coversSite, locale, caller: { owner: 'imports', signal } },
          isbn,
          () => null,
        ),
      isUnanswered,
    ),
  areSilent: () => sources.background.areSilent,
});

export function routes(
  app: FastifyInstance,
  {
    config,
    database,
    sources,
  }: { readonly config: Config; readonly database: Reader; readonly sources: Sources },
): void {
  const contextOf = (call: Exchange): LookupContext => ({
    sources,
    coversSite: config.openLibraryCoversUrl,
    locale: config.locale,
    caller: queueOwnerOf(call),
  });

  mount(app, [
    read(api.rechercherIsbn, {
      may: 'household',
      run: async (call) => {
        const found = await lookUpCode(contextOf(call), call.params.code, (issn) =>
          revueIdByIssn(database, issn),
        );
        sources.background.note(isUnanswered(found));
        return found;
      },
    }),
    read(api.rechercherTitre, {
      may: 'household',
      run: (call) => {
        const { titre, auteur = null } = call.query;
        return lookUpTitre(contextOf(call), { titre, auteur });
      },
    }),
  ]);

  // When the service stops, running lookups end with a response.
  app.addHook('preClose', () => sources.close());
}
