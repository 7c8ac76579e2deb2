import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import type { Row } from '#shared/change-reader';
import { ExportLivre } from '#shared/export';
import { joinedFields } from '#shared/fusions';
import { lusParMoi, type Lecture, type LusParMoi } from '#shared/lectures';
import * as api from '#shared/livres';
import {
  LivreSaisi,
  type EmpruntSaisi,
  type LivreEcrit,
  LIVRE_TEXTS,
  MAX_NOMBRE_PAGES,
  type Livre,
  type LivreDocument,
  type LivreSaisiEnSerie,
  type SerieDuLivre,
} from '#shared/livres';
import { emptyToNull } from '#shared/fields';
import { mapObject } from '#shared/object-keys';
import { orderSeen } from '#shared/rayon';
import { champRefusal, found, Refusal } from '#shared/refusals';
import { isPersonalTri } from '#shared/sort';
import { cleOeuvre, normaliser, textKey } from '#shared/text';
import { MAX_THEMES } from '#shared/themes';
import {
  enteredCoverUrl,
  enteredFields,
  enteredIsbn,
  refusingUnder,
  requireFormat,
} from '#server/plumbing/common/entry';
import {
  documentProjection,
  insertList,
  insertRow,
  readList,
  updateRow,
  updateRows,
  writeList,
  renewedIsbn,
  renewedLine,
  renewRows,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { sendList } from '#server/plumbing/http/json-list';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { PLACES_A_RECORD } from '#server/plumbing/writes/orders';
import type { RuleViolation, RecordKind } from '#server/plumbing/records/kind';
import {
  deleteUnused,
  findAuteurs,
  findOrCreateAuteurs,
  type DistinctSignatures,
  reunisParmi,
} from '#server/subjects/auteurs/auteurs';
import { readTree, requireEmplacement } from '#server/subjects/emplacements';
import { detailKey } from '#shared/detail-names';
import { detailsByKey, type Detail } from '#shared/details';
import { areSimilar, type Fingerprint } from '#shared/doublons';
import { placerEnSerie } from '#server/subjects/series';
import { addThemes, deleteUnusedThemes, themeIdsOf, writeThemes } from '#server/subjects/themes';
import type { HouseCatalogue, LiveCatalogue } from './catalogue.ts';
import { detailsOfLivre, enteredDetails, storedDetails } from './details.ts';
import {
  exportExpressions,
  isBorrowed,
  requireLivre,
  openPretOfLivre,
  readFormat,
  readImportes,
  readLivre,
  requireLivreId,
  projection,
} from './read.ts';
import { bibtex, goodreadsCsv, livresCsv, ris } from './texts.ts';

const keysOf = ({ titre }: { readonly titre: string }) => ({
  titreNormalise: normaliser(titre),
  cleOeuvre: cleOeuvre(titre),
});

/** Writes the given fields of a book. With a new location its position becomes unknown. */
export const updateLivre = (tx: Transaction, id: number, livre: Partial<LivreColumns>): void =>
  updateRow(
    tx,
    'Livre',
    id,
    livre,
    livre.emplacementId === undefined
      ? {}
      : { rang: 'CASE WHEN emplacementId IS @emplacementId THEN rang END' },
  );

export function copyChosenCover(tx: Transaction, souhaitId: number, livreId: number): void {
  tx.run(
    `UPDATE Livre SET couvertureCle = s.couvertureCle FROM Souhait s
       WHERE s.id = @souhaitId AND Livre.id = @livreId AND s.couvertureCle IS NOT NULL`,
    { souhaitId, livreId },
  );
}

const AUTEURS = { table: 'LivreAuteur', record: 'livreId', entry: 'auteurId' } as const;

export const kind: RecordKind<'livres'> = {
  projection,
  read: readLivre,
  findOeuvre(database, id, utilisateur) {
    const livre = readLivre(database, id, utilisateur);
    return livre && { ...livre, auteur: livre.auteurs[0]?.nom ?? null };
  },
  naming: {
    column: 'titre',
    subject: m.reason_sujet_livre,
    changed: m.reason_livre_modifie,
    deleted: m.reason_livre_supprime,
  },
  tables: {
    Livre: {
      derived: ['titreNormalise', 'cleOeuvre'],
      notInHistory: ['ajoutePar', 'dateAjout', 'couvertureCle'],
      order: { list: 'Rayon', parent: 'emplacementId', columns: ['rang'] },
      reasons: {
        added: () => m.reason_livres_ranges(),
        gone: m.reason_livre_supprime,
      },
      findRuleViolation(database, { id }) {
        const lent = findLentWrongly(database, Number(id));
        return (
          lent && { raison: m.reason_livre_prete({ emprunteur: lent.emprunteur }), rows: lent.rows }
        );
      },
    },
    LivreAuteur: {
      partOf: ['livreId', 'Livre'],
      list: { champ: 'auteurs', column: 'auteurId', table: 'Auteur', name: 'nom' },
      reasons: { taken: () => m.reason_livre_modifie(), added: () => m.reason_livre_modifie() },
    },
    LivreTheme: {
      partOf: ['livreId', 'Livre'],
      list: { champ: 'themes', column: 'themeId', table: 'Theme', name: 'nom' },
      reasons: { taken: () => m.reason_livre_modifie(), added: () => m.reason_livre_modifie() },
    },
  },
  exports: {
    livres: {
      projection: documentProjection('Livre', ExportLivre, exportExpressions),
      label: m.export_label_livres,
    },
  },
  texts: [livresCsv, goodreadsCsv, bibtex, ris],
  renormaliser: (tx) =>
    renewRows<LivreFields & { id: number }>(tx, 'Livre', (livre) => {
      const titre = renewedLine(livre.titre);
      const texts = mapObject(LIVRE_TEXTS, (name) => renewedLine(livre[name]));
      return { titre, ...texts, isbn: renewedIsbn(livre.isbn), ...keysOf({ titre }) };
    }),
};

/** The open loan of a book that cannot be lent: an ebook, or a borrowed one. */
export function findLentWrongly(
  database: Reader,
  id: number,
): (Pick<RuleViolation, 'rows'> & { readonly emprunteur: string }) | null {
  const pret = openPretOfLivre(database, id);
  if (pret === undefined) return null;
  if (readFormat(database, id) !== 'Numerique' && !isBorrowed(database, id)) return null;
  const { emprunteur } = pret;
  return { emprunteur, rows: [['Livre', id] as const, ['Pret', pret.id] as const] };
}

const nomsOf = (auteurs: LivreSaisi['auteurs']): string[] =>
  (auteurs ?? []).map((auteur) => (typeof auteur === 'string' ? auteur : auteur.nom));

/** The columns of a valid book, the names on its cover, its themes and its details, in order. */
export function readEntry(saisie: LivreSaisi) {
  const { auteurs, themes, details, emprunteA, ...fields } = enteredFields(LivreSaisi, saisie);
  const noms = nomsOf(auteurs);
  return {
    livre: {
      ...fields,
      ...keysOf(fields),
      isbn: enteredIsbn(fields.isbn),
      typeDocument: fields.typeDocument || 'NonPrecise',
      nombrePages: enteredNombrePages(fields.nombrePages),
      coverUrl: enteredCoverUrl(fields.coverUrl),
      emprunteA: empruntColumn(emprunteA),
    },
    noms: noms.filter((nom) => nom.trim() !== ''),
    themes: (themes ?? []).filter((nom) => nom.trim() !== ''),
    details: enteredDetails(details),
  };
}

/** The text of the column. Throws `REQUETE_INVALIDE` for days that cannot be. */
function empruntColumn(given: EmpruntSaisi | null): string | null {
  if (given === null) return null;
  const depuis = emptyToNull(given.depuis) ?? new Date().toISOString().slice(0, 10);
  const aRendre = emptyToNull(given.aRendre);
  requireFormat('date', depuis, 'emprunteA.depuis');
  if (aRendre !== null) requireFormat('date', aRendre, 'emprunteA.aRendre');
  if (aRendre !== null && aRendre < depuis)
    throw champRefusal('emprunteA.aRendre', 'AVANT_EMPRUNT');
  return JSON.stringify({ nom: given.nom, depuis, aRendre });
}

type LivreEntry = ReturnType<typeof readEntry>;
type LivreFields = LivreEntry['livre'];
type LivreColumns = LivreFields &
  Pick<LivreDocument, 'emplacementId'> & { readonly details: string | null };

function enteredNombrePages(count: number | null): number | null {
  if (count === null) return null;
  if (!Number.isInteger(count) || count < 1) throw new Refusal('NOMBRE_PAGES_INVALIDE');
  if (count > MAX_NOMBRE_PAGES)
    throw champRefusal('nombrePages', 'TROP_DE_PAGES', { maximum: MAX_NOMBRE_PAGES });
  return count;
}

/** An unknown book has an empty fingerprint, similar to nothing. */
const fingerprintOf = (database: Reader, id: number): Fingerprint => ({
  ...(database.get<Omit<Fingerprint, 'auteurs'>>(
    'SELECT isbn, cleOeuvre FROM Livre WHERE id = ?',
    id,
  ) ?? { isbn: null, cleOeuvre: '' }),
  auteurs: readList<number>(database, AUTEURS, id),
});

function findSimilarLivres(database: Reader, livre: Fingerprint): number[] {
  return database
    .all<{ id: number; isbn: string | null; cleOeuvre: string }>(
      `SELECT id, isbn, cleOeuvre FROM Livre
       WHERE isbn = @isbn OR (cleOeuvre = @cleOeuvre AND cleOeuvre <> '')
       ORDER BY titreNormalise, id`,
      { isbn: livre.isbn, cleOeuvre: livre.cleOeuvre },
    )
    .filter((other) =>
      areSimilar(livre, { ...other, auteurs: readList(database, AUTEURS, other.id) }),
    )
    .map(({ id }) => id);
}

/** The books that a new one by these authors would duplicate; writes nothing. */
export const listSimilaires = (
  database: Reader,
  { isbn, cleOeuvre: cle }: Pick<LivreFields, 'isbn' | 'cleOeuvre'>,
  noms: readonly string[],
  signatures?: DistinctSignatures,
): number[] =>
  findSimilarLivres(database, {
    isbn,
    cleOeuvre: cle,
    auteurs: findAuteurs(database, noms, signatures),
  });

/** The former id and dates of a book that is restored. */
interface Former {
  readonly id?: number | null;
  readonly dateAjout?: string | undefined;
}

function insertEntry(
  tx: Transaction,
  { livre, themes, details }: Omit<LivreEntry, 'noms'>,
  auteurs: readonly number[],
  ajoutePar: string | null,
  { id: ownId = null, dateAjout = new Date().toISOString() }: Former = {},
): number {
  const columns = { ...livre, details: storedDetails(tx, details) };
  const id = insertRow(tx, 'Livre', { id: ownId, ...columns, ajoutePar, dateAjout });
  insertList(tx, AUTEURS, id, auteurs);
  if (themes.length > 0) writeThemes(tx, 'livres', id, themes);
  return id;
}

/** Throws `DOUBLON` for a book similar to others, unless `confirmed`. */
export function ajouterLivre(
  tx: Transaction,
  { place = null, emplacementId, ...saisie }: LivreSaisiEnSerie,
  { confirmed, utilisateur }: { confirmed: boolean; utilisateur: string | null },
): Livre {
  const { noms, ...entry } = readEntry(saisie);
  // Duplicates are compared by author records, so that these are created first; a refusal rolls
  // them back.
  const auteurs = findOrCreateAuteurs(tx, noms);
  // A borrowed book does not count, since it goes back.
  const similaires = confirmed
    ? []
    : findSimilarLivres(tx, { ...entry.livre, auteurs }).filter((id) => !isBorrowed(tx, id));
  if (similaires.length > 0)
    throw new Refusal('DOUBLON', {
      similaires: similaires.map((id) => requireLivre(tx, id, utilisateur)),
    });
  const id = insertEntry(tx, entry, auteurs, utilisateur);
  placer(tx, id, place, emplacementId);
  return requireLivre(tx, id, utilisateur);
}

/** Adds a book despite similar ones; within a larger transaction twice as fast as `ajouterLivre`. */
export function addLivreEntry(
  tx: Transaction,
  saisie: LivreSaisi,
  utilisateur: string | null,
  former?: Former,
): number {
  const { noms, ...entry } = readEntry(saisie);
  return insertEntry(tx, entry, findOrCreateAuteurs(tx, noms), utilisateur, former);
}

function placer(
  tx: Transaction,
  id: number,
  place: SerieDuLivre | null,
  emplacementId: number | null | undefined,
): void {
  if (place !== null)
    refusingUnder('place', () => placerEnSerie(tx, requireLivre(tx, id, null), place));
  if (emplacementId !== undefined) ranger(tx, id, emplacementId);
}

function requireReturned(database: Reader, livreId: number): void {
  const pret = openPretOfLivre(database, livreId);
  if (pret) throw new Refusal('LIVRE_PRETE', { emprunteur: pret.emprunteur });
}

/** Adds a book's themes to another one's. Throws `FICHE_TROP_PLEINE` if there are too many. */
export function passThemes(tx: Transaction, from: number, to: number): void {
  const [passed, own] = [requireLivre(tx, from, null).themes, requireLivre(tx, to, null).themes];
  const keys = new Set(own.map(textKey));
  const after = [...own, ...passed.filter((nom) => !keys.has(textKey(nom)))];
  if (after.length === own.length) return;
  if (after.length > MAX_THEMES)
    throw new Refusal('FICHE_TROP_PLEINE', { trop: 'themes', maximum: MAX_THEMES });
  writeThemes(tx, 'livres', to, after);
}

/** Throws `LIVRE_PRETE` where a lent book would become an ebook, or borrowed. */
export function modifierLivre(
  tx: Transaction,
  id: number,
  { place = null, emplacementId, ...saisie }: LivreSaisiEnSerie,
): void {
  const { livre, noms, themes, details } = readEntry(saisie);
  requireLivreId(tx, id);
  if (livre.format === 'Numerique' || livre.emprunteA !== null) requireReturned(tx, id);
  const previous = readList<number>(tx, AUTEURS, id);
  updateLivre(tx, id, { ...livre, details: storedDetails(tx, details) });
  writeList(tx, AUTEURS, id, findOrCreateAuteurs(tx, noms));
  deleteUnused(tx, previous);
  writeThemes(tx, 'livres', id, themes);
  placer(tx, id, place, emplacementId);
}

/** Adds or removes a theme of a book, in any spelling. Throws `REQUETE_INVALIDE` beyond the limit. */
export function changerTheme(tx: Transaction, id: number, theme: string, isGiven: boolean): void {
  const { themes } = requireLivre(tx, id, null);
  const others = themes.filter((nom) => textKey(nom) !== textKey(theme));
  if (isGiven === others.length < themes.length) return;
  if (isGiven && themes.length >= MAX_THEMES)
    throw champRefusal('theme', 'TROP_DE_THEMES', { maximum: MAX_THEMES });
  writeThemes(tx, 'livres', id, isGiven ? [...themes, theme] : others);
}

/** Throws `LIVRE_PRETE` where a lent book would become an ebook. */
export function modifierChamps(
  tx: Transaction,
  id: number,
  champs: Partial<
    Pick<Livre, 'format' | 'typeDocument' | 'editeur' | 'annee' | 'nombrePages' | 'emplacementId'>
  >,
): void {
  requireLivreId(tx, id);
  if (champs.format === 'Numerique') requireReturned(tx, id);
  updateLivre(tx, id, champs);
}

/**
 * The fields that a row of a file may add to a book: all entered ones, except those that every book has or that are
 * not in tables.
 */
export interface KnownFields extends Omit<
  LivreFields,
  'titre' | 'titreNormalise' | 'cleOeuvre' | 'format' | 'typeDocument' | 'coverUrl' | 'emprunteA'
> {
  readonly auteurs: readonly string[];
  readonly themes: readonly string[];
  readonly details: readonly Detail[];
}

/** The given fields that a book lacks; none if another ISBN means another edition. */
export function lackingFields(
  database: Reader,
  id: number,
  { auteurs, themes, details, ...known }: KnownFields,
): Partial<KnownFields> {
  const livre = readLivre(database, id, null);
  if (livre === undefined) return {};
  if (livre.isbn !== null && known.isbn !== null && livre.isbn !== known.isbn) return {};
  const fields = Object.entries(known).filter(
    ([field, value]) => value !== null && Reflect.get(livre, field) === null,
  );
  const lacksAuteurs = livre.auteurs.length === 0 && auteurs.length > 0;
  const lacksThemes = livre.themes.length === 0 && themes.length > 0;
  const current = detailsByKey(livre.details);
  const lacking = details.filter(({ nom }) => !current.has(detailKey(nom)));
  return {
    ...Object.fromEntries(fields),
    ...(lacksAuteurs && { auteurs }),
    ...(lacksThemes && { themes }),
    ...(lacking.length > 0 && { details: lacking }),
  };
}

export function completer(
  tx: Transaction,
  id: number,
  {
    auteurs = [],
    themes = [],
    details = [],
    ...fields
  }: Partial<KnownFields> & { readonly emprunteA?: null },
): void {
  const known = details.length === 0 ? [] : [...detailsOfLivre(tx, id), ...details];
  const columns = { ...fields, ...(known.length > 0 && { details: storedDetails(tx, known) }) };
  if (Object.keys(columns).length > 0) updateLivre(tx, id, columns);
  if (auteurs.length > 0) writeList(tx, AUTEURS, id, findOrCreateAuteurs(tx, auteurs));
  if (themes.length > 0) addThemes(tx, 'livres', id, themes);
}

function ranger(tx: Transaction, id: number, emplacementId: number | null): void {
  requireEmplacement(tx, emplacementId);
  modifierChamps(tx, id, { emplacementId });
}

const readOrdre = (database: Reader, emplacementId: number): number[] =>
  database.values<number>(
    'SELECT id FROM Livre WHERE emplacementId = ? AND rang IS NOT NULL ORDER BY rang, id',
    emplacementId,
  );

/**
 * Moves a book after all others with a known position in its location, unless its own is known (docs/rules.md § 51).
 */
const moveToEnd = (tx: Transaction, id: number): void =>
  updateRow(
    tx,
    'Livre',
    id,
    {},
    {
      rang: `coalesce(rang, (SELECT max(l.rang) + 1 FROM Livre l
      WHERE l.emplacementId = Livre.emplacementId), 0)`,
    },
  );

/**
 * Arranges the books of a location. Books moved elsewhere meanwhile are left out; books not listed stay after their
 * neighbour. Throws `INTROUVABLE` for an unknown location.
 */
function ordonnerLivres(tx: Transaction, emplacementId: number, ids: readonly number[]): void {
  found(readTree(tx).get(emplacementId));
  const here = new Set(
    tx.values<number>('SELECT id FROM Livre WHERE emplacementId = ?', emplacementId),
  );
  const seen = ids.filter((id) => here.has(id));
  const order = orderSeen(readOrdre(tx, emplacementId), seen);
  updateRows(
    tx,
    'Livre',
    ['rang'],
    order.map((id, rang) => [id, rang]),
  );
}

const ordre = operation(api.ordonnerLivres, {
  may: 'household',
  holder: 'rangement',
  // Few ids may be listed, but all later books of the location are renumbered.
  size: (database, { params, body }) =>
    Math.max(body.ids.length, readOrdre(database, params.id).length) / PLACES_A_RECORD,
  run: (tx, { params, body }) => {
    ordonnerLivres(tx, params.id, body.ids);
    return answer();
  },
});

interface Ranged {
  readonly id: number;
  readonly emplacementId: number;
  readonly rang: number;
}

/**
 * Puts restored books at their places of the file; in a location where some have a known place, after these, in their
 * former order.
 */
export function restaurerOrdre(tx: Transaction, restored: readonly Ranged[]): void {
  const ordered = new Set(
    tx.values<number>('SELECT DISTINCT emplacementId FROM Livre WHERE rang IS NOT NULL'),
  );
  const { free = [], behind = [] } = Object.groupBy(restored, ({ emplacementId }) =>
    ordered.has(emplacementId) ? 'behind' : 'free',
  );
  updateRows(
    tx,
    'Livre',
    ['rang'],
    free.map(({ id, rang }) => [id, rang]),
  );
  for (const { id } of behind.toSorted((a, b) => a.rang - b.rang)) moveToEnd(tx, id);
}

/** Places of series keep the title of the book. Throws `LIVRE_PRETE` while it is lent. */
export function supprimerLivre(tx: Transaction, id: number): void {
  requireLivreId(tx, id);
  requireReturned(tx, id);
  const auteurs = readList<number>(tx, AUTEURS, id);
  const themes = themeIdsOf(tx, 'livres', id);
  tx.run('DELETE FROM Livre WHERE id = ?', id);
  deleteUnused(tx, auteurs);
  deleteUnusedThemes(tx, themes);
}

/** Records from whom a book is borrowed; `null` makes it the household's own. Throws `LIVRE_PRETE`, `INTROUVABLE`. */
function noterEmprunt(tx: Transaction, id: number, emprunt: EmpruntSaisi | null): void {
  requireLivreId(tx, id);
  if (emprunt !== null) requireReturned(tx, id);
  updateLivre(tx, id, { emprunteA: empruntColumn(emprunt) });
}

/** Throws `REQUETE_INVALIDE` for a book of the household's own. */
function rendreEmprunt(tx: Transaction, id: number): void {
  requireLivreId(tx, id);
  if (!isBorrowed(tx, id)) throw champRefusal('id', 'PAS_EMPRUNTE');
  supprimerLivre(tx, id);
}

/** Throws `INTROUVABLE`, and `REQUETE_INVALIDE` at `part` unless it is another record of the same book. */
export function requireTwin(database: Reader, garde: number, part: number): void {
  requireLivreId(database, garde);
  requireLivreId(database, part);
  if (garde === part || !areSimilar(fingerprintOf(database, garde), fingerprintOf(database, part)))
    throw champRefusal('part', 'PAS_MEME_LIVRE');
}

/** Gives a book the fields that it lacks from another record, a chosen picture included. */
export function passFields(tx: Transaction, from: number, to: number): void {
  const [part, garde] = [requireLivre(tx, from, null), requireLivre(tx, to, null)];
  const { auteurs, rang, coverOf, ...fields } = joinedFields(garde, part);
  updateLivre(tx, to, fields);
  updateRow(tx, 'Livre', to, { rang });
  if (coverOf === 'part')
    tx.run(
      `UPDATE Livre SET couvertureCle = (SELECT couvertureCle FROM Livre WHERE id = @from)
       WHERE id = @to`,
      { from, to },
    );
  if (garde.auteurs.length === 0)
    writeList(
      tx,
      AUTEURS,
      to,
      auteurs.map(({ id }) => id),
    );
}

const readLus = (database: Reader, utilisateur: string): LusParMoi =>
  lusParMoi(
    database
      .all<Row & Pick<Lecture, 'livreId' | 'note' | 'fin'>>(
        `SELECT livreId, note, fin, abandon FROM Lecture
           WHERE utilisateur = ? AND livreId IS NOT NULL`,
        utilisateur,
      )
      .map((row) => ({ ...row, abandon: row['abandon'] === 1 })),
  );

/** A written book, with the names that belong to merged authors and the remaining authors. */
function withReunis(tx: Transaction, livre: Livre, { auteurs }: LivreSaisi): LivreEcrit {
  const auteursReunis = reunisParmi(tx, nomsOf(auteurs));
  return auteursReunis.length === 0 ? livre : { ...livre, auteursReunis };
}

export function routes(
  app: FastifyInstance,
  { database, catalogue }: { readonly database: Reader; readonly catalogue: LiveCatalogue },
): void {
  mount(app, [
    read(api.listerLivres, {
      may: 'household',
      run: ({ query, utilisateur, reply }) => {
        const { tri = 'titre', importation } = query;
        const importes =
          importation === undefined
            ? undefined
            : readImportes(database, Number(importation), utilisateur);
        const list = (current: HouseCatalogue) => {
          const statuts = current.statutsOf(utilisateur);
          const lus =
            utilisateur !== null && isPersonalTri(tri) ? readLus(database, utilisateur) : undefined;
          const page = current.page({ ...query, importes }, statuts, lus);
          reply.header('X-Total-Count', page.total);
          // Read at once, so that slow clients get the books of one moment.
          const rows = page.livres.map((livre) => {
            const own = {
              statut: statuts.get(livre.id) ?? null,
              pret: current.openPret(livre.id) ?? null,
            };
            return [livre, own] as const;
          });
          return sendList(reply, rows);
        };
        return catalogue.read(list, (current) => current.sortNextChunk(query));
      },
    }),
    read(api.lireLivre, {
      may: 'household',
      run: ({ params, utilisateur }) => readLivre(database, params.id, utilisateur),
    }),
    operation(api.ajouterLivre, {
      may: 'household',
      run: (tx, { query, body, utilisateur }) => {
        const confirmed = query.confirmerDoublon === true || body.confirmerDoublon === true;
        return answer(withReunis(tx, ajouterLivre(tx, body, { confirmed, utilisateur }), body));
      },
    }),
    operation(api.modifierLivre, {
      may: 'household',
      run: (tx, { params: { id }, body, utilisateur }) => {
        modifierLivre(tx, id, body);
        return answer(withReunis(tx, requireLivre(tx, id, utilisateur), body));
      },
    }),
    operation(api.placerEnSerie, {
      may: 'household',
      run: (tx, { params: { id }, body, utilisateur }) => {
        placerEnSerie(tx, requireLivre(tx, id, null), body);
        return answer(requireLivre(tx, id, utilisateur));
      },
    }),
    operation(api.rangerLivre, {
      may: 'household',
      run: (tx, { params: { id }, body, utilisateur }) => {
        ranger(tx, id, body.emplacementId);
        if (body.auBout === true && body.emplacementId !== null) moveToEnd(tx, id);
        return answer(requireLivre(tx, id, utilisateur));
      },
    }),
    operation(api.noterEmprunt, {
      may: 'household',
      run: (tx, { params: { id }, body, utilisateur }) => {
        noterEmprunt(tx, id, body.emprunteA);
        return answer(requireLivre(tx, id, utilisateur));
      },
    }),
    operation(api.supprimerLivre, {
      may: 'household',
      run: (tx, { params }) => {
        supprimerLivre(tx, params.id);
        return answer();
      },
    }),
    operation(api.rendreEmprunt, {
      may: 'household',
      run: (tx, { params }) => {
        rendreEmprunt(tx, params.id);
        return answer();
      },
    }),
    ordre,
  ]);
}
