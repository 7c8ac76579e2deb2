import { kind as auteurs } from '#server/subjects/auteurs/auteurs';
import { kind as emplacements } from '#server/subjects/emplacements';
import { kind as lectures, statutKind as statuts } from '#server/subjects/lectures';
import { kind as livres } from '#server/subjects/livres/livres';
import { kind as modifications } from '#server/subjects/modifications/modifications';
import { kind as prets } from '#server/subjects/prets';
import type { RecordKind, RecordKinds } from '#server/plumbing/records/kind';
import { kind as numeros } from '#server/subjects/revues/numeros';
import { kind as revues } from '#server/subjects/revues/revues';
import { kind as series } from '#server/subjects/series/series';
import { kind as souhaitsRevues } from '#server/subjects/souhaits/revues';
import { kind as souhaits } from '#server/subjects/souhaits/souhaits';

export const kinds: RecordKinds = {
  livres,
  auteurs,
  prets,
  series,
  emplacements,
  revues,
  numeros,
  statuts,
  lectures,
  souhaits,
  'souhaits-revues': souhaitsRevues,
  modifications,
};

/** The tables that hold what a person writes. */
export const tables: readonly string[] = [
  ...Object.values<RecordKind>(kinds).flatMap((kind) => Object.keys(kind.tables ?? {})),
  // The name of the library, which is no record.
  'Bibliotheque',
];
