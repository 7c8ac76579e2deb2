import { fallbackCoverUrl } from '#shared/couvertures';
import { parseIsbn } from '#shared/isbn';
import { code977Shown, issnOfCode977 } from '#shared/issn';
import {
  MAX_CANDIDATS,
  MAX_CANDIDATS_BY_TITRE,
  type Candidat,
  type RechercheIsbn,
  type RechercheLivre,
  type RechercheRevue,
  type RechercheTitre,
  type SourceName,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import type { SourceRecord } from '#server/plumbing/upstream/answers';
import * as bnf from '#server/plumbing/upstream/bnf/queries';
import * as openLibrary from '#server/plumbing/upstream/openlibrary/queries';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { Sources } from '#server/plumbing/upstream/sources';
import { bestFirst } from './matches.ts';
import { LookupResults } from './results.ts';

/** What a lookup needs besides its question. */
export interface LookupContext {
  readonly sources: Sources;
  /** The site of the covers, as its setting says. */
  readonly coversSite: string;
  readonly asker: Asker;
}

/**
 * What the catalogues know of a code: a book, or the periodical of a 977 code, which is recognised
 * before any ISBN check. Refuses `ISBN_INVALIDE`; unreachable sources are no refusal.
 *
 * @param findRevueId the household's periodical with an ISSN in the hyphenated form
 */
export async function lookUpCode(
  context: LookupContext,
  code: string,
  findRevueId: (issn: string) => number | null,
): Promise<RechercheIsbn> {
  const revue = issnOfCode977(code);
  if (revue !== null) {
    if (revue.issn === null) throw new Refusal('ISBN_INVALIDE', { revue: code977Shown(code) });
    return lookUpRevue(context, revue.issn, findRevueId);
  }
  const isbn = parseIsbn(code);
  if (isbn === null) throw new Refusal('ISBN_INVALIDE', { revue: null });
  return lookUpLivre(context, isbn);
}

/**
 * The catalogues as imports and completions ask them: one ISBN after the other, behind what people ask,
 * and with rest while nobody answers.
 */
export interface BackgroundLookups {
  readonly ask: (isbn: string, signal: AbortSignal) => Promise<RechercheIsbn>;
  /** Whether no catalogue has answered for a while. */
  readonly areSilent: () => boolean;
}

export const backgroundLookups = ({
  sources,
  coversSite,
}: Omit<LookupContext, 'asker'>): BackgroundLookups => ({
  ask: (isbn, signal) =>
    sources.background.ask(
      signal,
      () =>
        lookUpCode({ sources, coversSite, asker: { owner: 'imports', signal } }, isbn, () => null),
      isUnanswered,
    ),
  areSilent: () => sources.background.areSilent,
});

/** Whether a source that was asked has not answered. */
export const isSilent = ({ sources }: Pick<RechercheIsbn, 'sources'>): boolean =>
  sources.some(({ etat }) => etat === 'injoignable');

/** Whether nothing is known of a code because a source has not answered. */
export const isUnanswered = (found: RechercheIsbn): boolean =>
  isSilent(found) && (found.type === 'revue' ? found.titre === null : found.candidats.length === 0);

/**
 * The steps in order and one after the other, until five records are found; a step that fails is
 * reported, and the next one asked (docs/rules.md § 22).
 */
async function lookUpLivre(
  { sources, asker, coversSite }: LookupContext,
  isbn: string,
): Promise<RechercheLivre> {
  const results = new LookupResults(MAX_CANDIDATS, asker.signal);
  await results.ask('bnf', () => bnf.recordsByIsbn(sources.bnf, isbn, 'isbn13', asker));
  await results.ask('bnf', () => bnf.recordsByIsbn(sources.bnf, isbn, 'isbn10', asker));
  if (results.sources.every(({ etat }) => etat === 'ok'))
    sources.arks.note(
      isbn,
      results.records.find(({ record }) => record.id !== null)?.record.id ?? null,
    );
  await results.ask('openlibrary', async (markUnreachable) => {
    const found = await openLibrary.editionByIsbn(sources.openLibrary, isbn, asker);
    if (!found.isComplete) markUnreachable();
    return found.record === null ? [] : [found.record];
  });
  const candidats = results.records.map(({ source, record }) =>
    toCandidat(source, record, isbn, coversSite),
  );
  return { type: 'livre', isbn, candidats, sources: results.sources };
}

async function lookUpRevue(
  { sources, asker }: LookupContext,
  issn: string,
  findRevueId: (issn: string) => number | null,
): Promise<RechercheRevue> {
  const results = new LookupResults(1, asker.signal);
  await results.ask('bnf', () => bnf.recordsByIssn(sources.bnf, issn, asker));
  const titre = results.records[0]?.record.titre ?? null;
  return { type: 'revue', issn, titre, revueId: findRevueId(issn), sources: results.sources };
}

/**
 * Books by title, best match first: the BnF's, and Open Library's search where the BnF has none or
 * does not answer (docs/rules.md § 23).
 */
export async function lookUpTitre(
  { sources, asker, coversSite }: LookupContext,
  titre: string,
  auteur: string | null,
): Promise<RechercheTitre> {
  const results = new LookupResults(MAX_CANDIDATS_BY_TITRE, asker.signal);
  const asked = { titre, auteur };
  await results.ask('bnf', async () =>
    bestFirst(await bnf.recordsByTitre(sources.bnf, titre, auteur, asker), asked),
  );
  if (results.records.length === 0) {
    await results.ask('openlibrary', async () =>
      bestFirst(await openLibrary.worksByTitre(sources.openLibrary, titre, auteur, asker), asked),
    );
  }
  const candidats = results.records.map(({ source, record }) =>
    toCandidat(source, record, record.isbns[0] ?? null, coversSite),
  );
  return { candidats, sources: results.sources };
}

/**
 * A record as a candidate under an ISBN. Its cover is Open Library's for that ISBN, whose address is
 * not fetched to be checked.
 */
const toCandidat = (
  source: SourceName,
  { titre, auteurs, editeur, annee, nombrePages, typeDocument }: SourceRecord,
  isbn: string | null,
  coversSite: string,
): Candidat => ({
  source,
  titre,
  auteurs: [...auteurs],
  editeur,
  annee,
  nombrePages,
  isbn,
  coverUrl: isbn === null ? null : fallbackCoverUrl(coversSite, isbn),
  ...(typeDocument === undefined ? {} : { typeDocument }),
});
