import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleRegroupement, normaliser } from '#shared/text';
import type { Base } from '#server/database/base';
import { renormaliser } from '#server/renormalisation';
import { temporaryBase, temporaryFolder } from '../support/base.ts';
import { ouvrirMaison } from './support.ts';

/** A record as older rules have left it, with one book; returns its id. */
function heriter(base: Base, nom: string, cle = cleRegroupement(nom)): number {
  const inserer = (sql: string, ...valeurs: (string | number)[]) =>
    Number(base.prepare<(string | number)[]>(sql).run(...valeurs).lastInsertRowid);
  const auteur = inserer(
    'INSERT INTO Auteur (nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?)',
    nom,
    normaliser(nom),
    cle,
  );
  const livre = inserer(
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
     VALUES (?, ?, ?, 'Physique', '2020-01-01T00:00:00.000Z')`,
    nom,
    normaliser(nom),
    normaliser(nom),
  );
  inserer('INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (?, ?, 0)', livre, auteur);
  return auteur;
}

const refuser = (base: Base, a: number, b: number) =>
  base
    .prepare<[number, number]>('INSERT INTO FusionRefusee VALUES (?, ?)')
    .run(Math.min(a, b), Math.max(a, b));

const noms = (base: Base) =>
  base
    .prepare<[], { nom: string }>('SELECT nom FROM Auteur ORDER BY id')
    .all()
    .map(({ nom }) => nom);

const cles = (base: Base) =>
  base
    .prepare<[], { cle: string }>('SELECT cleRegroupement AS cle FROM Auteur ORDER BY id')
    .all()
    .map(({ cle }) => cle);

/** Everything that a pass could change, as text. */
const tout = (base: Base) =>
  ['Auteur', 'LivreAuteur', 'Livre', 'FusionRefusee', 'Journal'].map((table) =>
    JSON.stringify(base.prepare(`SELECT * FROM ${table}`).all()),
  );

describe('the start-up pass', () => {
  it('merges variants and initials forms, and takes away who has no book', () => {
    const base = temporaryBase();
    heriter(base, 'Hugo, Victor', 'hugo, victor');
    heriter(base, 'VICTOR HUGO', 'VICTOR HUGO');
    heriter(base, 'V. Hugo');
    heriter(base, 'Victor Hugo');
    const seul = heriter(base, 'Personne');
    base.prepare<[number]>('DELETE FROM LivreAuteur WHERE auteurId = ?').run(seul);
    renormaliser(base);
    expect(noms(base)).toEqual(['Victor Hugo']);
    expect(base.prepare('SELECT DISTINCT auteurId FROM LivreAuteur').all()).toHaveLength(1);
  });

  it('writes nothing the second time, not even a line of the journal', () => {
    const base = temporaryBase();
    for (const nom of ['J. Martin', 'Jean Martin', 'Jacques Martin', 'J. Verne', 'JULES VERNE'])
      heriter(base, nom, nom);
    base.prepare("UPDATE Livre SET titreNormalise = 'autrefois'").run();
    renormaliser(base);
    expect(noms(base)).toEqual(['J. Martin', 'Jean Martin', 'Jacques Martin', 'J. Verne']);
    const apres = tout(base);
    renormaliser(base);
    expect(tout(base)).toEqual(apres);
  });

  it('never undoes a refusal, whatever its direction, and starts with two people of one key', () => {
    const base = temporaryBase();
    const [a, b] = [heriter(base, 'Jean Martin', 'x'), heriter(base, 'JEAN MARTIN', 'y')];
    const [c, d] = [heriter(base, 'V. Hugo'), heriter(base, 'Victor Hugo')];
    refuser(base, b, a);
    refuser(base, d, c);
    renormaliser(base);
    expect(noms(base)).toEqual(['Jean Martin', 'JEAN MARTIN', 'V. Hugo', 'Victor Hugo']);
    expect(cles(base)).toEqual(['jean martin', 'y', 'hugo v', 'hugo victor']);
    const apres = tout(base);
    renormaliser(base);
    expect(tout(base)).toEqual(apres);
  });

  it('gives a key to whoever is due it once it is free', () => {
    const base = temporaryBase();
    heriter(base, 'Anne Martin', 'ancienne cle');
    heriter(base, 'Anne Durand', 'anne martin');
    renormaliser(base);
    expect(cles(base)).toEqual(['anne martin', 'anne durand']);
  });

  it('runs before the house opens, so that its books are read as they then are', async () => {
    const path = join(temporaryFolder(), 'bibliotheque.sqlite');
    const base = temporaryBase(path);
    heriter(base, 'V. Hugo');
    heriter(base, 'Victor Hugo');
    base.close();
    const maison = await ouvrirMaison(path);
    expect(await maison.noms()).toEqual(['Victor Hugo 2']);
    expect(await maison.attendre(200, 'GET', '/api/livres?recherche=victor')).toHaveLength(2);
  });
});
