import type { FastifyInstance } from 'fastify';
import * as api from '#shared/details';
import { detailKey, isKnownDetail, storedNom } from '#shared/detail-names';
import { countDetails, MAX_DETAILS, type Detail } from '#shared/details';
import { MAX_LENGTHS } from '#shared/fields';
import type { LivreSaisi } from '#shared/livres';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { isLangue, storedLangue } from '#shared/langues';
import { textKey } from '#shared/text';
import { parseStored } from '#server/plumbing/common/stored-json';
import { updateRow, updateRows } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { suivreRenommage } from '#server/subjects/selections/renommages';
import type { LiveCatalogue } from './catalogue.ts';

// Details are stored in one column of their book. There is no table of their names, which are collected on demand
// (docs/rules.md § 56).

/** Throws `REQUETE_INVALIDE` for a value without a name, and for a repeated name; blank values are left out. */
export function enteredDetails(given: LivreSaisi['details']): Detail[] {
  const keys = new Set<string>();
  return (given ?? []).flatMap(({ nom, valeur }, index) => {
    if (valeur === '') return [];
    const champ = `details.${index}.nom`;
    if (nom === '') throw champRefusal(champ, 'VIDE');
    const key = detailKey(nom);
    if (keys.has(key)) throw champRefusal(champ, 'DETAIL_EXISTANT');
    keys.add(key);
    return [{ nom, valeur }];
  });
}

/** The text of the column. */
export const detailsColumn = (details: readonly Detail[]): string | null =>
  details.length === 0 ? null : JSON.stringify(details.map(({ nom, valeur }) => ({ nom, valeur })));

/** Details as they are stored: each name as the household has spelt it first, a language by its French name. */
export function storedDetails(database: Reader, given: readonly Detail[]): string | null {
  const details = given.map(({ nom, valeur }) => ({
    nom,
    valeur: isLangue(nom) ? storedLangue(valeur) : valeur,
  }));
  if (details.every(({ nom }) => isUsed(database, nom))) return detailsColumn(details);
  const noms = readNoms(database);
  return detailsColumn(
    details.map((detail) => ({
      ...detail,
      nom: noms.get(detailKey(detail.nom)) ?? storedNom(detail.nom),
    })),
  );
}

/** Searched from the newest book on: rows of one file have the same names. */
const isUsed = (database: Reader, nom: string): boolean =>
  database.value(`SELECT 1 FROM Livre ${NAMED} ORDER BY id DESC LIMIT 1`, needleOf(nom)) !==
  undefined;

const NAMED = 'WHERE details IS NOT NULL AND instr(details, ?)';

const needleOf = (nom: string): string => `"nom":${JSON.stringify(nom)}`;

/** Yields all books with details, oldest first. */
export function* walkDetails(database: Reader): Generator<{ id: number; details: Detail[] }> {
  const rows = database
    .prepare<[], { id: number; details: string }>(
      'SELECT id, details FROM Livre WHERE details IS NOT NULL ORDER BY id',
    )
    .iterate();
  for (const { id, details } of rows) yield { id, details: parseStored<Detail[]>(details) };
}

/** The names that the household uses, by their keys. */
export function readNoms(database: Reader): ReadonlyMap<string, string> {
  const noms = new Map<string, string>();
  const seen = new Set<string>();
  for (const { details } of walkDetails(database))
    for (const { nom } of details) {
      if (seen.has(nom)) continue;
      seen.add(nom);
      const key = detailKey(nom);
      if (!noms.has(key)) noms.set(key, nom);
    }
  return noms;
}

export const detailsOfLivre = (database: Reader, id: number): Detail[] =>
  parseStored<Detail[]>(
    database.value<string | null>('SELECT details FROM Livre WHERE id = ?', id) ?? '[]',
  );

/**
 * Sets a book's detail under a name, or removes it (`null`). Throws `INTROUVABLE`, and `REQUETE_INVALIDE` beyond the
 * limit.
 */
export function changerDetail(
  tx: Transaction,
  id: number,
  nom: string,
  valeur: string | null,
): void {
  found(tx.value<number>('SELECT id FROM Livre WHERE id = ?', id));
  const before = detailsOfLivre(tx, id);
  const key = detailKey(nom);
  const index = before.findIndex((detail) => detailKey(detail.nom) === key);
  if (valeur !== null && index < 0 && before.length >= MAX_DETAILS)
    throw champRefusal('nom', 'TROP_DE_DETAILS', { maximum: MAX_DETAILS });
  const given = valeur === null ? [] : [{ nom: before[index]?.nom ?? nom, valeur }];
  const after = index < 0 ? [...before, ...given] : before.toSpliced(index, 1, ...given);
  updateRow(tx, 'Livre', id, { details: storedDetails(tx, after) });
}

/**
 * Adds a book's details to another one's, after its own; a common name gets both values. Throws `FICHE_TROP_PLEINE`
 * if there are too many, or too long ones.
 */
export function passDetails(tx: Transaction, from: number, to: number): void {
  const [passed, own] = [detailsOfLivre(tx, from), detailsOfLivre(tx, to)];
  const more = new Map(passed.map(({ nom, valeur }) => [detailKey(nom), valeur]));
  const joinedOwn = own.map(({ nom, valeur }) => ({
    nom,
    valeur: bothValues(valeur, more.get(detailKey(nom)) ?? valeur),
  }));
  const keys = new Set(own.map(({ nom }) => detailKey(nom)));
  const after = [...joinedOwn, ...passed.filter(({ nom }) => !keys.has(detailKey(nom)))];
  if (after.length > MAX_DETAILS)
    throw new Refusal('FICHE_TROP_PLEINE', { trop: 'details', maximum: MAX_DETAILS });
  if (joinedOwn.some(({ valeur }) => valeur.length > MAX_LENGTHS.freeText))
    throw new Refusal('FICHE_TROP_PLEINE', { trop: 'valeur', maximum: MAX_LENGTHS.freeText });
  updateRow(tx, 'Livre', to, { details: detailsColumn(after) });
}

/** The books with a detail of this name, whatever its spelling. */
function readNamed(database: Reader, nom: string): { id: number; details: Detail[] }[] {
  const key = detailKey(nom);
  // An earlier version may have stored a known name in another language.
  const livres =
    isUsed(database, nom) && !isKnownDetail(nom)
      ? database
          .all<{ id: number; details: string }>(
            `SELECT id, details FROM Livre ${NAMED} ORDER BY id`,
            needleOf(nom),
          )
          .map(({ id, details }) => ({ id, details: parseStored<Detail[]>(details) }))
      : [...walkDetails(database)];
  return livres.filter(({ details }) => details.some((detail) => detailKey(detail.nom) === key));
}

const rewrite = (
  tx: Transaction,
  livres: readonly { readonly id: number; readonly details: readonly Detail[] }[],
): void =>
  updateRows(
    tx,
    'Livre',
    ['details'],
    livres.map(({ id, details }) => [id, detailsColumn(details)]),
  );

/**
 * Renames a detail in all books; a book with both names gets both values, on two lines. Throws `INTROUVABLE` without
 * such a detail, `REQUETE_INVALIDE` if two values are too long together.
 */
function renommerDetail(tx: Transaction, nom: string, nouveau: string) {
  const livres = readNamed(tx, nom);
  const [from, to] = [detailKey(nom), detailKey(nouveau)];
  const ancien = spellingIn(livres, from);
  // An existing name keeps its spelling.
  const kept = from === to ? storedNom(nouveau) : (readNoms(tx).get(to) ?? storedNom(nouveau));
  rewrite(
    tx,
    livres.map(({ id, details }) => ({ id, details: renamed(details, from, to, kept) })),
  );
  suivreRenommage(tx, { genre: 'detail', de: ancien, vers: kept });
  return { ancien, nom: kept, livres: livres.length };
}

function renamed(details: readonly Detail[], from: string, to: string, nom: string): Detail[] {
  const other = from === to ? undefined : details.find((one) => detailKey(one.nom) === to);
  return details.flatMap((detail) => {
    const key = detailKey(detail.nom);
    if (key === from) return other === undefined ? [{ nom, valeur: detail.valeur }] : [];
    if (detail !== other) return [detail];
    const more = details.find((one) => detailKey(one.nom) === from);
    return [{ nom, valeur: joined(detail.valeur, more?.valeur ?? '') }];
  });
}

function joined(valeur: string, other: string): string {
  const both = bothValues(valeur, other);
  if (both.length > MAX_LENGTHS.freeText) throw champRefusal('nouveau', 'VALEUR_TROP_LONGUE');
  return both;
}

const bothValues = (valeur: string, other: string): string =>
  textKey(valeur) === textKey(other) ? valeur : `${valeur}\n${other}`;

function supprimerDetail(tx: Transaction, nom: string) {
  const livres = readNamed(tx, nom);
  const key = detailKey(nom);
  const ancien = spellingIn(livres, key);
  rewrite(
    tx,
    livres.map(({ id, details }) => ({
      id,
      details: details.filter((detail) => detailKey(detail.nom) !== key),
    })),
  );
  return { ancien, livres: livres.length };
}

/** The stored spelling of a name. Throws `INTROUVABLE` without one. */
function spellingIn(livres: readonly { readonly details: readonly Detail[] }[], key: string) {
  const [first] = livres;
  if (first === undefined) throw new Refusal('INTROUVABLE');
  return first.details.find(({ nom }) => detailKey(nom) === key)?.nom ?? '';
}

const renaming = operation(api.renommerDetail, {
  may: 'household',
  holder: 'detail',
  size: (database, { body }) => readNamed(database, body.nom).length,
  run: (tx, { body }) => answer(renommerDetail(tx, body.nom, body.nouveau)),
});

const deletion = operation(api.supprimerDetail, {
  may: 'household',
  holder: 'suppressionDetail',
  size: (database, { query }) => readNamed(database, query.nom).length,
  run: (tx, { query }) => answer(supprimerDetail(tx, query.nom)),
});

export function routes(
  app: FastifyInstance,
  { catalogue }: { readonly catalogue: LiveCatalogue },
): void {
  mount(app, [
    read(api.listerDetails, {
      may: 'household',
      run: () =>
        // The oldest book determines the spelling.
        catalogue.read((current) =>
          countDetails(current.entries.map(({ livre }) => livre).sort((a, b) => a.id - b.id)),
        ),
    }),
    renaming,
    deletion,
  ]);
}
