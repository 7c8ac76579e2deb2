import { isDue } from '#shared/days';
import type { MonOffre, Offert, OffreRecue } from '#shared/partages';
import { found, Refusal } from '#shared/refusals';
import { compareText, textKey } from '#shared/text';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Who gives a wish of somebody else's (docs/rules.md § 59). Its owner is asked for first, and gets the answer of a wish
// that is not there: nothing here may depend on an offer before that, but for what the owner has asked to be told
// (`OffresMontrees`). An offer holds while its wish says what it said
// when it was made: that is compared when it is read, so that no write of the owner's touches an offer.

interface Offrant {
  readonly utilisateur: string;
  /** How the others know them. */
  readonly nom: string;
}

/** Throws `INTROUVABLE` for one's own wish, one that is not shown, and one that is not there. */
function requireMontre(database: Reader, utilisateur: string, souhaitId: number): void {
  found(
    database.value<number>(
      `SELECT 1 FROM Souhait s JOIN Partage p ON p.utilisateur = s.utilisateur AND p.souhaits
       WHERE s.id = @souhaitId AND s.utilisateur <> @utilisateur`,
      { souhaitId, utilisateur },
    ),
  );
}

/** What a wish says. */
interface Wording {
  readonly titre: string;
  readonly auteur: string | null;
}

const isSame = (one: Wording, other: Wording): boolean =>
  textKey(one.titre) === textKey(other.titre) &&
  textKey(one.auteur ?? '') === textKey(other.auteur ?? '');

/** An offer beside its wish. */
interface Offre {
  readonly souhaitId: number;
  /** `null` where it was made before offers kept them. */
  readonly offertTitre: string | null;
  readonly offertAuteur: string | null;
  /** `null` where the wish is gone. */
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

/** Throws `DEJA_OFFERT` where another reader gives it, and as `requireMontre` does. */
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

/** Also of a wish that has gone from a shown list. Throws as `requireMontre` does. */
export function retirerOffre(tx: Transaction, utilisateur: string, souhaitId: number): void {
  if (!offresBy(tx, utilisateur).some((offre) => offre.id === souhaitId))
    requireMontre(tx, utilisateur, souhaitId);
  tx.run('DELETE FROM Offre WHERE souhaitId = ? AND utilisateur = ?', souhaitId, utilisateur);
}

interface Visiteur {
  readonly nom: string;
  /** What tells their name from another. */
  readonly cle: string;
}

/** Far more than a family has grandparents: beyond it nothing is kept, and the answer is the same. */
const MAX_VISITEURS = 20;

/** By the link of the list, whatever is given already: the answer depends on none of it. */
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

/** What a reader gives to others is over with what they show. */
export function endOffres(tx: Transaction, utilisateur: string): void {
  tx.run('DELETE FROM Offre WHERE utilisateur = ?', utilisateur);
}

/** Who gives these wishes, as one reader may know it who owns none of them. */
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

/**
 * What a reader gives, by whom it is for: also what has changed or gone since, as long as its owner shows their wishes.
 */
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

// What an owner has told of the offers, off at first

interface OffresMontrees {
  /** To who comes by the link of the list: whether something is given, without names. */
  readonly donnes: boolean;
  /** To the owner, from this day on: who gives what. */
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

/** What a backup brings back may have been taken back since. */
export function endAllOffresMontrees(tx: Transaction): void {
  tx.run('DELETE FROM OffresMontrees');
}

const wishesOf = (database: Reader, utilisateur: string): { id: number; titre: string }[] =>
  database.all<{ id: number; titre: string }>(
    'SELECT id, titre FROM Souhait WHERE utilisateur = ? ORDER BY rang, id',
    utilisateur,
  );

/** The wishes of a reader that somebody gives, as far as whoever has the link may know it. */
export function donnesTo(database: Reader, utilisateur: string): ReadonlySet<number> {
  if (!readOffresMontrees(database, utilisateur).donnes) return new Set();
  const ids = wishesOf(database, utilisateur).map(({ id }) => id);
  return new Set(offertsTo(database, utilisateur, ids).keys());
}

/** Who gives what to a reader; nothing before the day from which they want to know. */
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

/** A wish that is gone may come back as long as an act tells of it; then its offer counts again. */
function forgetOver(tx: Transaction): void {
  for (const table of ['Offre', 'OffreDeVisite'])
    tx.run(
      `DELETE FROM ${table} AS o WHERE souhaitId NOT IN (SELECT id FROM Souhait) AND NOT EXISTS (
         SELECT 1 FROM Trace t WHERE t.nom = 'Souhait' AND t.cle = CAST(o.souhaitId AS TEXT))`,
    );
}
