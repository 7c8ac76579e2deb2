import type { Auteur, FusionSuggestion } from '#shared/auteurs';
import { found, Refusal } from '#shared/refusals';
import { cleRegroupement } from '#shared/text';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import * as store from '../store/auteurs.ts';
import type { AuteurRecord } from '../store/auteurs.ts';
import * as fusions from '../store/fusions.ts';
import { Evidence } from './evidence.ts';
import { fullNom, fusionner, withNom, withSpelling } from './fusion.ts';
import { applyFusionRules, type FusionResult } from './fusion-rules.ts';
import { Refus } from './refus.ts';
import { suggestFusions } from './suggestions.ts';

/**
 * Finds or creates the authors named on a cover and returns their ids in its order. An author named
 * twice counts once, a more presentable spelling becomes the shown name, and initials forms merge
 * with their full form (docs/rules.md § 13–16).
 */
export function findOrCreateAuteurs(database: Transaction, noms: readonly string[]): number[] {
  let ids: number[] = [];
  for (const nom of noms) {
    const { id, successors } = findOrCreateAuteur(database, nom);
    ids = [...ids.map((other) => successors.get(other) ?? other), id];
  }
  return [...new Set(ids)];
}

/**
 * The ids that `findOrCreateAuteurs` would give, without writing: a name that would be a new author
 * has a negative one.
 */
export function findAuteurs(database: Reader, noms: readonly string[]): number[] {
  return noms.map((nom, index) => {
    const known = store.auteurRecordByKey(database, cleRegroupement(nom));
    if (known) return planSpelling(database, known, nom).successors.get(known.id) ?? known.id;
    const { successors } = planNewAuteur(database, nom);
    return successors.get(NEW_ID) ?? absorbedBy(successors) ?? -1 - index;
  });
}

/**
 * The authors whose names `findOrCreateAuteurs` may change for books with these names: those who have one of
 * them, asleep or not, and those whom the rules of merging may join to these.
 */
export function affectedAuteurs(database: Reader, noms: readonly string[]): AuteurRecord[] {
  const known = noms.flatMap(
    (nom) => store.auteurRecordByKey(database, cleRegroupement(nom)) ?? [],
  );
  const dormant = noms.flatMap((nom) => store.dormantAuteur(database, nom) ?? []);
  return [...store.relatedAuteurRecords(database, [...noms, ...known.map(fullNom)]), ...dormant];
}

/** Renames an author everywhere. Throws `AUTEUR_EXISTANT` for a name that another author has. */
export function modifierAuteur(database: Transaction, id: number, nom: string): Auteur {
  const auteur = requireRecord(database, id);
  const other = findOwnerOfNom(database, nom);
  if (other && other.id !== id)
    throw new Refusal('AUTEUR_EXISTANT', { auteur: { id: other.id, nom: other.nom } });
  store.updateNoms(database, withNom(auteur, nom));
  const result = planFusions(database, [nom], (related) => related);
  applyFusions(database, result);
  return requireAuteur(database, result.successors.get(id) ?? id);
}

/** Merges two authors, refused or not, and returns the one that stays. */
export function fusionnerAuteurs(database: Transaction, [a, b]: readonly [number, number]): Auteur {
  const { kept, absorbedId } = fusionner(requireRecord(database, a), requireRecord(database, b));
  fusions.replaceAuteur(database, absorbedId, kept.id);
  store.updateNoms(database, kept);
  const auteur = requireAuteur(database, kept.id);
  store.deleteUnused(database, [kept.id]);
  return auteur;
}

/** Remembers that two authors are two people. */
export function refuserFusion(database: Transaction, [a, b]: readonly [number, number]): void {
  requireRecord(database, a);
  requireRecord(database, b);
  fusions.insertRefus(database, fusions.idPair(a, b));
}

/** The merges that a person should decide, the surest first; authors without books are left out. */
export function listSuggestions(database: Reader): FusionSuggestion[] {
  return database.read(() => {
    const evidence = new Evidence(store.listOeuvres(database));
    const named = store.listNamedAuteurs(database);
    const pairs = suggestFusions(named, readRefus(database), evidence);
    const ids = pairs.flatMap(({ pair }) => pair);
    const byId = new Map(store.readAuteurs(database, ids).map((auteur) => [auteur.id, auteur]));
    return pairs.flatMap(({ pair: [a, b], raison }) => {
      const [first, second] = [byId.get(a), byId.get(b)];
      if (!first?.nombreLivres || !second?.nombreLivres) return [];
      return [{ auteurs: [first, second], raison }];
    });
  });
}

/** Writes the outcome of merges to the records. */
export function applyFusions(database: Transaction, { successors, kept }: FusionResult): void {
  for (const [absorbed, successor] of successors)
    fusions.replaceAuteur(database, absorbed, successor);
  for (const auteur of kept) store.updateNoms(database, auteur);
}

export const readRefus = (database: Reader) => new Refus(fusions.listRefus(database));

/** Placeholder id of an author not yet inserted; the highest id, as the inserted one will be. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

/** The author of a name, and the authors who were merged on the way. */
interface EnteredAuteur extends Pick<FusionResult, 'successors'> {
  readonly id: number;
}

function findOrCreateAuteur(database: Transaction, nom: string): EnteredAuteur {
  store.fileNoms(database);
  const known = store.auteurRecordByKey(database, cleRegroupement(nom));
  return known ? takeSpelling(database, known, nom) : createAuteur(database, nom);
}

function takeSpelling(database: Transaction, known: AuteurRecord, nom: string): EnteredAuteur {
  const result = planSpelling(database, known, nom);
  if (nom !== known.nom) store.updateNoms(database, withSpelling(known, nom));
  applyFusions(database, result);
  return { id: result.successors.get(known.id) ?? known.id, successors: result.successors };
}

function createAuteur(database: Transaction, nom: string): EnteredAuteur {
  const planned = planNewAuteur(database, nom);
  const { successors } = planned;
  const id =
    successors.get(NEW_ID) ??
    store.wakeAuteur(database, nom) ??
    absorbedBy(successors) ??
    store.insertAuteur(database, nom);
  const result = withRealId(planned, id);
  applyFusions(database, result);
  return { id, successors: result.successors };
}

/** The merges that a new name would bring. */
const planNewAuteur = (database: Reader, nom: string): FusionResult =>
  planFusions(database, [nom], (related) => [...related, newAuteur(database, nom)]);

/** Who had a name that a person gave keeps it, asleep or not. */
function newAuteur(database: Reader, nom: string): AuteurRecord {
  const dormant = store.dormantAuteur(database, nom);
  return dormant?.nomChoisi === 1
    ? { ...dormant, id: NEW_ID }
    : { id: NEW_ID, nom, fullForm: null };
}

/** The merges that another spelling of a known name would bring: it may be in another order. */
function planSpelling(database: Reader, known: AuteurRecord, nom: string): FusionResult {
  const spelt = nom === known.nom ? known : withSpelling(known, nom);
  if (fullNom(spelt) === fullNom(known)) return NO_FUSION;
  return planFusions(database, [fullNom(known), fullNom(spelt)], (related) => [
    ...related.filter(({ id }) => id !== known.id),
    spelt,
  ]);
}

const NO_FUSION: FusionResult = { successors: new Map(), kept: [] };

/** The merges among the authors whom some names concern, once `change` has been made to these. */
function planFusions(
  database: Reader,
  noms: readonly string[],
  change: (related: readonly AuteurRecord[]) => readonly AuteurRecord[],
): FusionResult {
  const auteurs = change(store.relatedAuteurRecords(database, noms));
  return auteurs.length < 2 ? NO_FUSION : applyFusionRules(auteurs, readRefus(database));
}

/** A shorter form that the new name would absorb, whose record is reused. */
const absorbedBy = (successors: FusionResult['successors']): number | undefined =>
  [...successors].find(([, kept]) => kept === NEW_ID)?.[0];

/** The planned merges, with `NEW_ID` replaced by the id of the new name. */
function withRealId({ successors, kept }: FusionResult, id: number): FusionResult {
  const real = (other: number) => (other === NEW_ID ? id : other);
  const pairs = [...successors].map(([absorbed, to]) => [real(absorbed), real(to)] as const);
  return {
    successors: new Map(pairs.filter(([absorbed, to]) => absorbed !== to)),
    kept: kept.map((auteur) => ({ ...auteur, id: real(auteur.id) })),
  };
}

/** The author who has a name already, shown or as the full form behind a more presentable one. */
function findOwnerOfNom(database: Reader, nom: string): AuteurRecord | undefined {
  const key = cleRegroupement(nom);
  return (
    store.auteurRecordByKey(database, key) ??
    store
      .relatedAuteurRecords(database, [nom])
      .find((auteur) => cleRegroupement(fullNom(auteur)) === key)
  );
}

const requireRecord = (database: Reader, id: number): AuteurRecord =>
  found(store.readAuteurRecord(database, id));

const requireAuteur = (database: Reader, id: number): Auteur =>
  found(store.readAuteur(database, id));
