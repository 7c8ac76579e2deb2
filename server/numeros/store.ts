import type { Numero } from '#shared/numeros';
import type { Base } from '#server/database/base';
import type { NumeroEcrit } from './saisie.ts';

/** The issue of a periodical that has this number. */
export function numeroDeCle(
  base: Base,
  revueId: number,
  numeroNormalise: string,
): Pick<Numero, 'id' | 'numero'> | undefined {
  return base
    .prepare<[number, string], Pick<Numero, 'id' | 'numero'>>(
      'SELECT id, numero FROM Numero WHERE revueId = ? AND numeroNormalise = ?',
    )
    .get(revueId, numeroNormalise);
}

/** The periodical that an issue is of; `undefined` where there is no such issue. */
export function revueDuNumero(base: Base, id: number): number | undefined {
  return base
    .prepare<[number], { revueId: number }>('SELECT revueId FROM Numero WHERE id = ?')
    .get(id)?.revueId;
}

/** Writes a new issue, without its lists, and returns its id; fails on the guard `Numero_unique`. */
export function insererNumero(base: Base, revueId: number, numero: NumeroEcrit): number {
  const { lastInsertRowid } = base
    .prepare<[NumeroEcrit & { revueId: number }]>(
      `INSERT INTO Numero (revueId, numero, numeroNormalise, date, coverUrl, une, resume)
       VALUES (@revueId, @numero, @numeroNormalise, @date, @coverUrl, @une, @resume)`,
    )
    .run({ ...numero, revueId });
  return Number(lastInsertRowid);
}

/** Rewrites an issue, without its lists; fails on the guard `Numero_unique`. */
export function reecrireNumero(base: Base, id: number, numero: NumeroEcrit): void {
  base
    .prepare<[NumeroEcrit & { id: number }]>(
      `UPDATE Numero SET numero = @numero, numeroNormalise = @numeroNormalise, date = @date,
         coverUrl = @coverUrl, une = @une, resume = @resume
       WHERE id = @id`,
    )
    .run({ ...numero, id });
}

/** Takes an issue away; tells whether it was there. */
export function effacerNumero(base: Base, id: number): boolean {
  return base.prepare<[number]>('DELETE FROM Numero WHERE id = ?').run(id).changes > 0;
}

/** Gives an issue its articles, in order. */
export function ecrireArticles(base: Base, numeroId: number, titres: readonly string[]): void {
  base.prepare<[number]>('DELETE FROM Article WHERE numeroId = ?').run(numeroId);
  const inserer = base.prepare<[number, number, string]>(
    'INSERT INTO Article (numeroId, position, titre) VALUES (?, ?, ?)',
  );
  titres.forEach((titre, position) => inserer.run(numeroId, position, titre));
}

/** A step of the start-up pass: the keys as the rules make them; a taken one is left to its owner. */
export function renormaliserNumeros(base: Base): void {
  const renormaliser = base.prepare(
    `UPDATE OR IGNORE Numero SET numeroNormalise = cle_texte(numero)
     WHERE numeroNormalise <> cle_texte(numero)`,
  );
  // A key that moves may make room for the next.
  while (renormaliser.run().changes > 0);
}
