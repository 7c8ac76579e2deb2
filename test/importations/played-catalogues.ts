import type { Candidat, RechercheIsbn, SourceAnswer } from '#shared/recherche';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { makeEssai } from '#server/subjects/importations/importations';
import { MetadataLookups } from '#server/subjects/importations/lookups';
import { beginModification } from '#server/subjects/modifications/changesets';
import { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { Writes } from '#server/plumbing/writes/writes';
import { temporaryDatabase } from '../support/database.ts';
import { recordsOf } from '../support/records.ts';

/** A catalogue's response to an ISBN: a book, unknown, or silence. */
export type CatalogueResponse = Partial<Candidat> | 'unknown' | 'silent' | 'revue';

/** Simulated catalogues that answer at once, with these responses in turn, then always the last one. */
export class PlayedCatalogues {
  readonly asked: string[] = [];
  isSilent = false;
  /** Called with each request. */
  meanwhile: (signal: AbortSignal) => void = () => undefined;
  readonly #said: Readonly<Record<string, readonly CatalogueResponse[]>>;

  constructor(said: Readonly<Record<string, readonly CatalogueResponse[]>>) {
    this.#said = said;
  }

  readonly areSilent = (): boolean => this.isSilent;

  readonly ask = (isbn: string, signal: AbortSignal): Promise<RechercheIsbn> => {
    const before = this.asked.filter((each) => each === isbn).length;
    this.asked.push(isbn);
    this.meanwhile(signal);
    const answers = this.#said[isbn] ?? ['unknown'];
    const said = answers[Math.min(before, answers.length - 1)] ?? 'unknown';
    const etat = said === 'silent' ? 'injoignable' : 'ok';
    const sources: SourceAnswer[] = [{ nom: 'bnf', etat }];
    if (said === 'revue')
      return Promise.resolve({
        type: 'revue',
        issn: '0988-2480',
        titre: 'R',
        revueId: null,
        sources,
      });
    const candidats = typeof said === 'string' ? [] : [{ ...NONE, isbn, ...said }];
    return Promise.resolve({ type: 'livre', isbn, candidats, sources });
  };
}

const NONE: Candidat = {
  source: 'bnf',
  titre: 'Sans titre',
  auteurs: [],
  editeur: null,
  annee: null,
  nombrePages: null,
  isbn: null,
  coverUrl: null,
};

/** A dry run of a file with these catalogues. */
export async function open(
  file: string | Buffer,
  said: Readonly<Record<string, readonly CatalogueResponse[]>> = {},
) {
  const database = temporaryDatabase();
  const records = recordsOf(database);
  const read = (bytes: string | Buffer) =>
    makeEssai(database, Buffer.from(bytes), {
      utilisateur: 'ana',
      nom: null,
      aLire: 'statut',
      colonnes: null,
    });
  const catalogues = new PlayedCatalogues(said);
  const writes = new Writes(records, new Journal(database), beginModification);
  const lookups = new MetadataLookups(writes, catalogues);
  const id = await read(file);
  return { database, records, writes, read, catalogues, lookups, id };
}

/** Runs work in a write transaction. */
export const real = (
  records: Records<Database>,
  work: (inWrite: Records<Transaction>) => unknown,
): void => void records.database.write((tx) => work(records.within(tx)));
