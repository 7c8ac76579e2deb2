import { isDue } from '#shared/days';
import type { MonOffre, Offert, OffreRecue } from '#shared/partages';
import { found, Refusal } from '#shared/refusals';
import { compareText, textKey } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Offers for another reader's wishes (docs/rules.md § 59). Each operation first reads the wish's
// owner, who gets the response of a missing wish: nothing may depend on an offer before that,
// except by `OffresMontrees`. An offer counts while the wish is worded as before; that is compared
// when it is read, so that the owner's writes touch no offer.

interface Offrant {
  readonly utilisateur: string;
  /** The name shown to other readers. */
  readonly nom: string;
}

/** Throws `INTROUVABLE` if the wish does not exist, is not shared, or is the caller's own. */
function requireMontre(database: Reader, utilisateur: string, souhaitId: number): void {
  found(
    database.value<number>(
      `SELECT 1 FROM Souhait s JOIN Partage p ON p.utilisateur = s.utilisateur AND p.souhaits
       WHERE s.id = @souhaitId AND s.utilisateur <> @utilisateur`,
      { souhaitId, utilisateur },
    ),
  );
}

/** The wording of a wish. */
interface Wording {
  readonly titre: string;
  readonly auteur: string | null;
}

const isSame = (one: Wording, other: Wording): boolean =>
  textKey(one.titre) === textKey(other.titre) &&
  textKey(one.auteur ?? '') === textKey(other.auteur ?? '');

/** An offer joined with its wish. */
interface Offre {
  readonly souhaitId: number;
  /** `null` if the offer is older than this column. */
  readonly offertTitre: string | null;
  readonly offertAuteur: string | null;
  /** `null` if the wish is deleted. */
  readonly titre: string | null;
  readonly auteur: string | null;
}

const stateOf = (offre: Offre): MonOffre['etat'] => {
  const { titre, auteur, offertTitre, offertAuteur } = offre;
  if (titre === null) return 'partie';
  if (offertTitre === null) return 'tenue';
  return isSame({ titre, auteur }, { titre: offertTitre, auteur: offertAuteur })
    ? 'tenue'
    : 'changee';
};

/** Throws `DEJA_OFFERT` if another reader gives it, and like `requireMontre`. */
export function offrir(tx: Transaction, { utilisateur, nom }: Offrant, souhaitId: number): Offert {
  requireMontre(tx, utilisateur, souhaitId);
  forgetOver(tx);
  const { moi = false, noms = [] } = offertsTo(tx, utilisateur, [souhaitId]).get(souhaitId) ?? {};
  const [other] = noms;
  if (!moi && other !== undefined) throw new Refusal('DEJA_OFFERT', { nom: other });
  tx.run(
    `INSERT INTO Offre (souhaitId, utilisateur, nom, de, titre, auteur)
     SELECT id, @utilisateur, @nom, utilisateur, titre, auteur FROM Souhait WHERE id = @souhaitId
     ON CONFLICT (souhaitId, utilisateur) DO UPDATE
     SET nom = excluded.nom, de = excluded.de, titre = excluded.titre, auteur = excluded.auteur`,
    { souhaitId, utilisateur, nom },
  );
  return { moi: true, noms };
}

/** Also for a wish deleted from a shown list. Throws like `requireMontre`. */
export function retirerOffre(tx: Transaction, utilisateur: string, souhaitId: number): void {
  if (!offresBy(tx, utilisateur).some((offre) => offre.id === souhaitId))
    requireMontre(tx, utilisateur, souhaitId);
  tx.run('DELETE FROM Offre WHERE souhaitId = ? AND utilisateur = ?', souhaitId, utilisateur);
}

interface Visiteur {
  readonly nom: string;
  /** The key that identifies the visitor's name. */
  readonly cle: string;
}

/** Far more than a family has grandparents: beyond it nothing is stored, and the response is the same. */
const MAX_VISITEURS = 20;

/** By the list's link, whatever is given already: the response does not depend on it. */
export function offrirEnVisite(tx: Transaction, souhaitId: number, { nom, cle }: Visiteur): void {
  forgetOver(tx);
  tx.run(
    `INSERT INTO OffreDeVisite (souhaitId, cle, nom, titre, auteur)
     SELECT id, @cle, @nom, titre, auteur FROM Souhait WHERE id = @souhaitId
       AND (SELECT count(*) FROM OffreDeVisite WHERE souhaitId = @souhaitId) < ${MAX_VISITEURS}
     ON CONFLICT (souhaitId, cle) DO UPDATE SET titre = excluded.titre, auteur = excluded.auteur`,
    { souhaitId, nom, cle },
  );
}

export function retirerOffreDeVisite(
  tx: Transaction,
  souhaitId: number,
  { cle }: Pick<Visiteur, 'cle'>,
): void {
  tx.run('DELETE FROM OffreDeVisite WHERE souhaitId = ? AND cle = ?', souhaitId, cle);
}

/** A reader's offers end with their own shared lists. */
export function endOffres(tx: Transaction, utilisateur: string): void {
  tx.run('DELETE FROM Offre WHERE utilisateur = ?', utilisateur);
}

/** The givers of these wishes, for a reader other than their owner. */
export function offertsTo(
  database: Reader,
  utilisateur: string,
  souhaitIds: readonly number[],
): Map<number, Offert> {
  const offres = database
    .all<Offre & { utilisateur: string | null; nom: string }>(
      `SELECT o.*, s.titre, s.auteur FROM (
         SELECT o.souhaitId, o.utilisateur, coalesce(m.nom, o.nom) AS nom,
           o.titre AS offertTitre, o.auteur AS offertAuteur
         FROM Offre o LEFT JOIN Membre m ON m.identifiant = o.utilisateur
         UNION ALL SELECT souhaitId, NULL, nom, titre, auteur FROM OffreDeVisite) o
       JOIN Souhait s ON s.id = o.souhaitId
       WHERE o.souhaitId IN (SELECT value FROM json_each(@ids)) ORDER BY o.souhaitId, o.nom`,
      { ids: JSON.stringify(souhaitIds) },
    )
    .filter((offre) => stateOf(offre) === 'tenue');
  const bySouhait = Map.groupBy(offres, ({ souhaitId }) => souhaitId);
  return new Map(
    Array.from(bySouhait, ([souhaitId, some]) => [
      souhaitId,
      {
        moi: some.some((offre) => offre.utilisateur === utilisateur),
        noms: some.filter((offre) => offre.utilisateur !== utilisateur).map(({ nom }) => nom),
      },
    ]),
  );
}

/** A reader's offers by recipient, changed and deleted wishes included, as long as the owner shares the list. */
export const offresBy = (database: Reader, utilisateur: string): MonOffre[] =>
  database
    .all<Offre & { de: string }>(
      `SELECT o.souhaitId, o.titre AS offertTitre, o.auteur AS offertAuteur, s.titre, s.auteur,
         coalesce(m.nom, p.nom, p.utilisateur) AS de
       FROM Offre o LEFT JOIN Souhait s ON s.id = o.souhaitId
         JOIN Partage p ON p.utilisateur = coalesce(s.utilisateur, o.de) AND p.souhaits
         LEFT JOIN Membre m ON m.identifiant = p.utilisateur
       WHERE o.utilisateur = @utilisateur AND coalesce(s.titre, o.titre) IS NOT NULL`,
      { utilisateur },
    )
    .map((offre) => {
      const { souhaitId: id, de, titre, offertTitre } = offre;
      const etat = stateOf(offre);
      return {
        id,
        de,
        titre: titre ?? offertTitre ?? '',
        etat,
        avant: etat === 'changee' ? offertTitre : null,
      };
    })
    .sort(
      (a, b) =>
        compareText(textKey(a.de), textKey(b.de)) ||
        compareText(textKey(a.titre), textKey(b.titre)) ||
        a.id - b.id,
    );

// The part of the offers that the owner allows to be shown, off by default.

interface OffresMontrees {
  /** Whether visitors of the link see that something is given, without names. */
  readonly donnes: boolean;
  /** The day from which the owner sees who gives what. */
  readonly savoirLe: string | null;
}

export function readOffresMontrees(database: Reader, utilisateur: string): OffresMontrees {
  const row = database.get<{ donnes: 0 | 1; savoirLe: string | null }>(
    'SELECT donnes, savoirLe FROM OffresMontrees WHERE utilisateur = ?',
    utilisateur,
  );
  return { donnes: row?.donnes === 1, savoirLe: row?.savoirLe ?? null };
}

export function writeOffresMontrees(
  tx: Transaction,
  utilisateur: string,
  { donnes, savoirLe }: OffresMontrees,
): void {
  if (!donnes && savoirLe === null) {
    endOffresMontrees(tx, utilisateur);
    return;
  }
  tx.run(
    `INSERT INTO OffresMontrees (utilisateur, donnes, savoirLe) VALUES (@utilisateur, @donnes, @savoirLe)
     ON CONFLICT (utilisateur) DO UPDATE SET donnes = excluded.donnes, savoirLe = excluded.savoirLe`,
    { utilisateur, donnes: Number(donnes), savoirLe },
  );
}

export function endOffresMontrees(tx: Transaction, utilisateur: string): void {
  tx.run('DELETE FROM OffresMontrees WHERE utilisateur = ?', utilisateur);
}

/** A backup may restore permissions that were withdrawn since. */
export function endAllOffresMontrees(tx: Transaction): void {
  tx.run('DELETE FROM OffresMontrees');
}

const wishesOf = (database: Reader, utilisateur: string): { id: number; titre: string }[] =>
  database.all<{ id: number; titre: string }>(
    'SELECT id, titre FROM Souhait WHERE utilisateur = ? ORDER BY rang, id',
    utilisateur,
  );

/** The given wishes of a reader, as visitors of the link may see them. */
export function donnesTo(database: Reader, utilisateur: string): ReadonlySet<number> {
  if (!readOffresMontrees(database, utilisateur).donnes) return new Set();
  const ids = wishesOf(database, utilisateur).map(({ id }) => id);
  return new Set(offertsTo(database, utilisateur, ids).keys());
}

/** A reader's received gifts; none before the chosen day. */
export function offresTo(database: Reader, utilisateur: string, now: Date): OffreRecue[] {
  const { savoirLe } = readOffresMontrees(database, utilisateur);
  if (savoirLe === null || !isDue(savoirLe, now)) return [];
  const wishes = wishesOf(database, utilisateur);
  const offerts = offertsTo(
    database,
    utilisateur,
    wishes.map(({ id }) => id),
  );
  return wishes.flatMap(({ id, titre }) => {
    const { noms = [] } = offerts.get(id) ?? {};
    return noms.length === 0 ? [] : [{ titre, noms }];
  });
}

/** A deleted wish may be restored as long as the history has it; its offer counts again then. */
function forgetOver(tx: Transaction): void {
  for (const table of ['Offre', 'OffreDeVisite'])
    tx.run(
      `DELETE FROM ${table} AS o WHERE souhaitId NOT IN (SELECT id FROM Souhait) AND NOT EXISTS (
         SELECT 1 FROM Trace t WHERE t.nom = 'Souhait' AND t.cle = CAST(o.souhaitId AS TEXT))`,
    );
}
