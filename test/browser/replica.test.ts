import { commands } from 'vitest/browser';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { renommerAuteur } from '#shared/auteurs';
import { supprimerLivre } from '#shared/livres';
import { auteurs } from '$lib/auteurs.svelte';
import { bibliotheque } from '$lib/livres.svelte';
import { prets } from '$lib/prets.svelte';
import { courante } from '$lib/replica/courante';
import {
  ailleurs,
  ajouter,
  demenager,
  emmenager,
  lire,
  oublier,
  ouvrir,
  preterA,
  rendreLe,
} from './menage.ts';

const titres = () => bibliotheque.chercher({}).map(({ titre }) => titre);

beforeEach(() => emmenager());
afterAll(demenager);

describe('a replica', () => {
  test('holds what the server holds', async () => {
    const vagues = await ajouter('Les Vagues', { auteurs: ['Virginia Woolf'] });
    const orlando = await ajouter('Orlando', { auteurs: ['Virginia Woolf'] });
    await rendreLe(await preterA(vagues, 'Luc'));
    await preterA(orlando, 'Anne');
    await lire(vagues, 0);

    await ouvrir('alice');
    expect(bibliotheque.pret).toBe(false);
    expect(await courante.tirer()).toBe(true);

    expect(bibliotheque.pret).toBe(true);
    expect(bibliotheque.progression).toBeNull();
    expect(titres()).toEqual(['Les Vagues', 'Orlando']);
    expect(bibliotheque.livre(orlando)).toMatchObject({ titre: 'Orlando', format: 'Physique' });
    expect(Object.keys(bibliotheque.livre(orlando) ?? {})).not.toContain('_meta');
    expect(bibliotheque.pretOuvert(orlando)).toMatchObject({ emprunteur: 'Anne' });
    expect(prets.duLivre(vagues)).toHaveLength(1);
    expect(prets.enCours.map(({ livre }) => livre.titre)).toEqual(['Orlando']);
    expect(bibliotheque.statut(vagues)).toBe(0);
    expect(bibliotheque.statut(orlando)).toBeNull();
    expect(auteurs.tous).toMatchObject([{ nom: 'Virginia Woolf', nombreLivres: 2 }]);
  });

  test('is read without a network, and resumes from its checkpoint', async () => {
    const livre = await ajouter('Les Vagues', { auteurs: ['V. Woolf'] });
    await lire(livre, 2);
    await ouvrir('alice');
    await courante.tirer();
    courante.fermer();
    await ajouter('Orlando');

    await commands.humeur('sansReseau');
    await ouvrir('alice');
    expect(bibliotheque.pret).toBe(true);
    expect(titres()).toEqual(['Les Vagues']);
    expect(bibliotheque.statut(livre)).toBe(2);
    expect(await courante.tirer()).toBe(false);
    expect(titres()).toEqual(['Les Vagues']);

    await commands.humeur('normale');
    expect(await courante.tirer()).toBe(true);
    expect(titres()).toEqual(['Les Vagues', 'Orlando']);
  });

  test('follows what is changed and deleted, through other records too', async () => {
    const vagues = await ajouter('Les Vagues', { auteurs: ['Virginia Wolf'] });
    const orlando = await ajouter('Orlando');
    await lire(orlando, 1);
    await ouvrir('alice');
    await courante.tirer();

    const [woolf] = auteurs.tous;
    await ailleurs(renommerAuteur, {
      params: { id: woolf?.id ?? 0 },
      body: { nom: 'Virginia Woolf' },
    });
    await ailleurs(supprimerLivre, { params: { id: orlando } });
    await courante.tirer();

    expect(titres()).toEqual(['Les Vagues']);
    expect(bibliotheque.livre(vagues)?.auteurs[0]?.nom).toBe('Virginia Woolf');
    expect(bibliotheque.statut(orlando)).toBeNull();

    courante.fermer();
    await commands.humeur('sansReseau');
    await ouvrir('alice');
    expect(titres()).toEqual(['Les Vagues']);
  });

  test('survives being cut off in the middle of a page', async () => {
    for (const titre of ['Un', 'Deux', 'Trois']) await ajouter(titre);
    await ouvrir('alice');
    await commands.couperApres(1);
    expect(await courante.tirer()).toBe(false);
    expect(bibliotheque.pret).toBe(false);
    expect(bibliotheque.progression).toBeNull();

    await commands.couperApres(null);
    expect(await courante.tirer()).toBe(true);
    expect(titres()).toEqual(['Deux', 'Trois', 'Un']);
  });

  test('of another database is dropped and pulled again', async () => {
    await ajouter('Les Vagues');
    await ouvrir('alice');
    await courante.tirer();

    await commands.ouvrirMaison();
    await commands.connecter('alice');
    await ajouter('Orlando');
    expect(await courante.tirer()).toBe(true);
    expect(titres()).toEqual(['Orlando']);

    courante.fermer();
    await ouvrir('alice');
    expect(titres()).toEqual(['Orlando']);
  });

  test('is one of its reader only', async () => {
    const livre = await ajouter('Les Vagues');
    await lire(livre, 2);
    await ouvrir('alice');
    await courante.tirer();

    await commands.connecter('bob');
    const ouverture = ouvrir('bob');
    expect(titres()).toEqual([]);
    expect(bibliotheque.statut(livre)).toBeNull();
    await ouverture;
    await courante.tirer();
    expect(titres()).toEqual(['Les Vagues']);
    expect(bibliotheque.statut(livre)).toBeNull();

    await commands.connecter(null);
    await ouvrir(null);
    await courante.tirer();
    expect(bibliotheque.pret).toBe(true);
    expect(titres()).toEqual(['Les Vagues']);

    await ouvrir('alice');
    expect(bibliotheque.statut(livre)).toBe(2);
  });
});

describe('a broken replica is dropped and pulled again', () => {
  const bases = async (fin: string) =>
    (await indexedDB.databases()).flatMap(({ name = '' }) => (name.endsWith(fin) ? name : []));

  beforeEach(async () => {
    await ajouter('Les Vagues');
    await ouvrir('alice');
    await courante.tirer();
  });

  async function retrouver() {
    await ouvrir('alice');
    expect(await courante.tirer()).toBe(true);
    expect(titres()).toEqual(['Les Vagues']);
    courante.fermer();
    await commands.humeur('sansReseau');
    await ouvrir('alice');
    expect(titres()).toEqual(['Les Vagues']);
  }

  test.each(['--livres', '--local', '--_rxdb_internal', ''])('without %s', async (fin) => {
    courante.fermer();
    for (const nom of await bases(fin)) await oublier(nom);
    await retrouver();
  });

  test('with another shape', async () => {
    courante.fermer();
    for (const nom of await bases('--livres')) {
      await oublier(nom);
      await new Promise<void>((fini) => {
        const demande = indexedDB.open(nom, 990);
        demande.onsuccess = () => {
          demande.result.close();
          fini();
        };
      });
    }
    await retrouver();
  });

  test('while it is open', async () => {
    for (const nom of await bases('')) await oublier(nom);
    await expect.poll(() => bibliotheque.pret && titres()).toEqual(['Les Vagues']);
  });

  test('and what other versions have left is deleted', async () => {
    const ancienne = 'rxdb-dexie-rayonnage-0ldversion-alice--0--livres';
    await new Promise<void>((fini) => {
      const demande = indexedDB.open(ancienne);
      demande.onsuccess = () => {
        demande.result.close();
        fini();
      };
    });
    await ouvrir('alice');
    await expect.poll(() => bases('')).not.toContain(ancienne);
  });
});
