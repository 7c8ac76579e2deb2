import type { Offert } from '#shared/partages';
import { found, Refusal } from '#shared/refusals';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Who gives a wish of somebody else's (docs/rules.md § 59). Its owner is asked for first, and gets the answer of a wish
// that is not there: nothing here may depend on an offer before that.

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

/** Throws `DEJA_OFFERT` where another reader gives it, and as `requireMontre` does. */
export function offrir(tx: Transaction, { utilisateur, nom }: Offrant, souhaitId: number): Offert {
  requireMontre(tx, utilisateur, souhaitId);
  forgetOver(tx);
  const { moi = false, noms = [] } = offertsTo(tx, utilisateur, [souhaitId]).get(souhaitId) ?? {};
  const [other] = noms;
  if (!moi && other !== undefined) throw new Refusal('DEJA_OFFERT', { nom: other });
  tx.run(
    `INSERT INTO Offre (souhaitId, utilisateur, nom) VALUES (@souhaitId, @utilisateur, @nom)
     ON CONFLICT (souhaitId, utilisateur) DO UPDATE SET nom = excluded.nom`,
    { souhaitId, utilisateur, nom },
  );
  return { moi: true, noms };
}

export function retirerOffre(tx: Transaction, utilisateur: string, souhaitId: number): void {
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
    `INSERT INTO OffreDeVisite (souhaitId, cle, nom) SELECT @souhaitId, @cle, @nom
     WHERE (SELECT count(*) FROM OffreDeVisite WHERE souhaitId = @souhaitId) < ${MAX_VISITEURS}
     ON CONFLICT (souhaitId, cle) DO NOTHING`,
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
  const offres = database.all<{ souhaitId: number; utilisateur: string | null; nom: string }>(
    `SELECT o.souhaitId, o.utilisateur, coalesce(m.nom, o.nom) AS nom
     FROM Offre o LEFT JOIN Membre m ON m.identifiant = o.utilisateur
     WHERE o.souhaitId IN (SELECT value FROM json_each(@ids))
     UNION ALL SELECT souhaitId, NULL, nom FROM OffreDeVisite
     WHERE souhaitId IN (SELECT value FROM json_each(@ids)) ORDER BY 1, 3`,
    { ids: JSON.stringify(souhaitIds) },
  );
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

/** A wish that is gone may come back as long as an act tells of it; then its offer counts again. */
function forgetOver(tx: Transaction): void {
  for (const table of ['Offre', 'OffreDeVisite'])
    tx.run(
      `DELETE FROM ${table} AS o WHERE souhaitId NOT IN (SELECT id FROM Souhait) AND NOT EXISTS (
         SELECT 1 FROM Trace t WHERE t.nom = 'Souhait' AND t.cle = CAST(o.souhaitId AS TEXT))`,
    );
}
