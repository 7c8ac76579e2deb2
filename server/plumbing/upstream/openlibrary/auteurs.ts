import { MAX_LENGTHS } from '#shared/fields';
import { SourceUnreachable } from '#server/plumbing/upstream/answers';
import { inReadingOrder, uniqueNoms } from '#server/plumbing/upstream/noms';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { Source } from '#server/plumbing/upstream/source';
import { truncate } from '#server/plumbing/upstream/text';
import {
  isKey,
  readDocument,
  toArray,
  toObject,
  toText,
  workKeyOf,
  type Document,
} from './documents.ts';

/** An edition that names more people than a cover does is a conference or a mistake. */
const MAX_AUTEURS = 12;

interface FoundNoms {
  readonly noms: readonly string[];
  /** False where the source stopped answering before all were read. */
  readonly isComplete: boolean;
}

/** The names of an edition's authors, or of its work's where the edition has none. */
export async function readAuteurs(
  source: Source,
  edition: Document,
  asker: Asker,
): Promise<FoundNoms> {
  try {
    const own = auteurKeys(edition);
    return await readNoms(source, own.length > 0 ? own : await keysOfWork(), asker);
  } catch (error) {
    if (!(error instanceof SourceUnreachable)) throw error;
    return { noms: [], isComplete: false };
  }

  async function keysOfWork(): Promise<string[]> {
    const key = workKeyOf(edition);
    const work = key === null ? null : await readDocument(source, key, asker);
    return work === null ? [] : auteurKeys(work);
  }
}

/** Editions name their authors as `authors[].key`, works as `authors[].author.key`. */
function auteurKeys(document: Document): string[] {
  const keys = toArray(document['authors']).map((element) => {
    const auteur = toObject(element);
    return auteur['key'] ?? toObject(auteur['author'])['key'];
  });
  return [...new Set(keys.filter(isKey))].slice(0, MAX_AUTEURS);
}

async function readNoms(source: Source, keys: readonly string[], asker: Asker): Promise<FoundNoms> {
  const read = await Promise.allSettled(keys.map((key) => readDocument(source, key, asker)));
  const noms = read.flatMap((one) =>
    one.status === 'fulfilled' ? parseNom(toText(one.value?.['name'])) : [],
  );
  return { noms: uniqueNoms(noms), isComplete: read.every(({ status }) => status === 'fulfilled') };
}

/** A name in reading order; none where the text is empty. */
export function parseNom(text: string): string[] {
  const nom = truncate(text, MAX_LENGTHS.nom);
  return nom === null ? [] : [inReadingOrder(nom)];
}
