import { kind as auteurs } from '#server/subjects/auteurs/auteurs';
import { kind as emplacements } from '#server/subjects/emplacements';
import { kind as lectures, statutKind as statuts } from '#server/subjects/lectures';
import { kind as livres } from '#server/subjects/livres/livres';
import { kind as modifications } from '#server/subjects/modifications/modifications';
import { kind as objectifs } from '#server/subjects/objectifs';
import { kind as partages } from '#server/subjects/partages/partages';
import { kind as prets } from '#server/subjects/prets';
import type { HouseholdTables } from '#server/plumbing/database/change-capture';
import type { RecordKind, RecordKinds, TableRules } from '#server/plumbing/records/kind';
import { kind as numeros } from '#server/subjects/revues/numeros';
import { kind as revues } from '#server/subjects/revues/revues';
import { kind as selections } from '#server/subjects/selections/selections';
import { kind as series } from '#server/subjects/series';
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
  partages,
  selections,
  objectifs,
  modifications,
};

/** A rank follows from its list's order: a removed wish moves up all later ones. */
const followingColumns = ({ derived = [], order }: TableRules): readonly string[] => [
  ...derived,
  ...(order?.columns.slice(1) ?? []),
];

export const tables: HouseholdTables = {
  ...Object.fromEntries(
    Object.values<RecordKind>(kinds)
      .flatMap((kind) => Object.entries(kind.tables ?? {}))
      .map(([table, rules]) => [table, followingColumns(rules)]),
  ),
  // The name of the library, which is no record.
  Bibliotheque: [],
};
