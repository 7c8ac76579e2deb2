import { commands } from 'vitest/browser';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { ajouter, demenager, emmenager, lire } from './menage.ts';
import { ouvrirOnglet, type Onglet } from './onglets.ts';

beforeEach(() => emmenager());
afterAll(demenager);

const DELAI = { timeout: 10_000 };

const enLigne = ({ application: { connexion, bibliotheque } }: Onglet) =>
  expect.poll(() => connexion.etat === 'enLigne' && bibliotheque.pret, DELAI).toBe(true);

describe('a start', () => {
  test('online knows who reads, shows what there is, and lets write', async () => {
    await ajouter('Les Vagues');
    const onglet = await ouvrirOnglet();
    await enLigne(onglet);
    const { connexion, versionServeur } = onglet.application;
    expect(connexion.moi).toEqual({ utilisateur: 'alice', email: null, nomComplet: null });
    expect(connexion.ecriture).toEqual({ possible: true });
    await expect.poll(() => connexion.derniereMiseAJour).not.toBeNull();
    await expect.poll(() => versionServeur.version).toMatchObject({ publiee: false });
    expect(versionServeur.horsLigne).toBe(false);
    expect(onglet.titres()).toEqual(['Les Vagues']);
  });

  test.each(['sansReseau', 'sansServeur', 'page', 'sessionExpiree'] as const)(
    'under « %s » reads the last reader’s copy, and says why nothing can be written',
    async (humeur) => {
      const livre = await ajouter('Les Vagues');
      await lire(livre, 2);
      const premier = await ouvrirOnglet();
      await enLigne(premier);
      await expect.poll(() => premier.application.versionServeur.version).not.toBeNull();
      const date = premier.application.connexion.derniereMiseAJour;
      premier.fermer();

      await commands.humeur(humeur);
      const { application, titres } = await ouvrirOnglet();
      await expect.poll(titres).toEqual(['Les Vagues']);
      const { connexion, bibliotheque, versionServeur, ajouterLivre } = application;
      // The books are painted first; whose copy it is stands once all of it is read.
      await expect.poll(() => connexion.moi?.utilisateur).toBe('alice');
      expect(connexion.etat).toBe(humeur === 'sessionExpiree' ? 'sessionExpiree' : 'horsLigne');
      expect(connexion.ecriture).toHaveProperty('raison');
      expect(connexion.derniereMiseAJour).toEqual(date);
      expect(bibliotheque.statut(livre)).toBe(2);
      expect(bibliotheque.progression).toBeNull();
      expect(versionServeur.version).toMatchObject({ publiee: false });
      expect(versionServeur.vueLe).not.toBeNull();
      expect(versionServeur.horsLigne).toBe(true);
      await expect(ajouterLivre({ titre: 'Orlando', format: 'Physique' })).rejects.toMatchObject({
        kind: connexion.etat,
      });
    },
  );

  test('offline without any copy is neither ready nor under way', async () => {
    await commands.humeur('sansReseau');
    const { application } = await ouvrirOnglet();
    const { connexion, bibliotheque } = application;
    await expect.poll(() => connexion.moi).toMatchObject({ utilisateur: null });
    expect(bibliotheque.pret).toBe(false);
    expect(bibliotheque.progression).toBeNull();
    expect(connexion.etat).toBe('horsLigne');
  });

  test('with another reader shows nothing of the last one', async () => {
    const livre = await ajouter('Les Vagues');
    await lire(livre, 2);
    const premier = await ouvrirOnglet();
    await enLigne(premier);
    premier.fermer();

    await commands.connecter('bob');
    const vus: unknown[] = [];
    const second = await ouvrirOnglet(({ bibliotheque, connexion }) => {
      const regarder = () => {
        vus.push(bibliotheque.statut(livre), connexion.moi?.utilisateur);
        if (connexion.moi === null) requestAnimationFrame(regarder);
      };
      regarder();
    });
    await enLigne(second);
    expect(second.titres()).toEqual(['Les Vagues']);
    expect(vus).not.toContain(2);
    expect(vus).not.toContain('alice');
  });

  test('without a known reader reads what is shared', async () => {
    await ajouter('Les Vagues');
    await commands.connecter(null);
    const onglet = await ouvrirOnglet();
    await enLigne(onglet);
    expect(onglet.application.connexion.moi).toMatchObject({ utilisateur: null });
    expect(onglet.titres()).toEqual(['Les Vagues']);
  });
});

describe('a server that goes and comes back', () => {
  test('is noticed both times without the reader’s doing', async () => {
    const onglet = await ouvrirOnglet();
    await enLigne(onglet);
    const { connexion } = onglet.application;

    await commands.humeur('sansServeur');
    await commands.couperLeFlux();
    await expect.poll(() => connexion.etat, DELAI).toBe('horsLigne');

    await commands.humeur('normale');
    await expect.poll(() => connexion.etat, DELAI).toBe('enLigne');
    await ajouter('Orlando');
    await expect.poll(onglet.titres, DELAI).toEqual(['Orlando']);
  });
});

describe('several tabs', () => {
  test('share one replica and one stream, and show what either writes', async () => {
    const [un, deux] = await Promise.all([ouvrirOnglet(), ouvrirOnglet()]);
    await enLigne(un);
    await enLigne(deux);
    await expect.poll(() => commands.fluxOuverts()).toBe(1);

    const { id } = await un.application.ajouterLivre({ titre: 'Orlando', format: 'Physique' });
    expect(un.titres()).toEqual(['Orlando']);
    await expect.poll(deux.titres, DELAI).toEqual(['Orlando']);

    await deux.application.changerStatut(id, 1);
    expect(deux.application.bibliotheque.statut(id)).toBe(1);
    await expect.poll(() => un.application.bibliotheque.statut(id), DELAI).toBe(1);

    un.fermer();
    await expect.poll(() => commands.fluxOuverts(), DELAI).toBe(1);
    await ajouter('Les Vagues');
    await expect.poll(deux.titres, DELAI).toEqual(['Les Vagues', 'Orlando']);
  });

  test('begin again together with another database', async () => {
    await ajouter('Orlando');
    const [un, deux] = await Promise.all([ouvrirOnglet(), ouvrirOnglet()]);
    await enLigne(un);
    await enLigne(deux);

    await commands.ouvrirMaison();
    await commands.connecter('alice');
    await ajouter('Les Vagues');
    await expect.poll(un.titres, DELAI).toEqual(['Les Vagues']);
    await expect.poll(deux.titres, DELAI).toEqual(['Les Vagues']);
    await enLigne(un);
    await enLigne(deux);
  });

  test('follow a change of reader at once', async () => {
    const livre = await ajouter('Orlando');
    await lire(livre, 2);
    const un = await ouvrirOnglet();
    await enLigne(un);
    expect(un.application.bibliotheque.statut(livre)).toBe(2);

    await commands.connecter('bob');
    const deux = await ouvrirOnglet();
    await enLigne(deux);
    await expect.poll(() => un.application.connexion.moi?.utilisateur, DELAI).toBe('bob');
    await enLigne(un);
    expect(un.application.bibliotheque.statut(livre)).toBeNull();
  });

  test('never take another reader’s records into a copy', async () => {
    const livre = await ajouter('Orlando');
    const un = await ouvrirOnglet();
    await enLigne(un);

    await commands.connecter('bob');
    await lire(livre, 1);
    await ajouter('Flush');
    await expect.poll(() => un.application.connexion.moi?.utilisateur, DELAI).toBe('bob');
    await commands.connecter('alice');
    await ajouter('Les Vagues');
    await expect.poll(() => un.application.connexion.moi?.utilisateur, DELAI).toBe('alice');
    await expect.poll(un.titres, DELAI).toEqual(['Flush', 'Les Vagues', 'Orlando']);
    expect(un.application.bibliotheque.statut(livre)).toBeNull();
  });
});
