import { commands } from 'vitest/browser';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { modifierAuteur } from '#shared/auteurs';
import { supprimerLivre } from '#shared/livres';
import { auteursView, sortNextAuteurs } from '$lib/records/auteurs/view.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { pretsView } from '$lib/records/prets/view.svelte';
import { answers } from '$lib/sync/answers.svelte';
import { identity } from '$lib/sync/identity.svelte';
import { device } from '$lib/sync/this-device';
import { views } from '$lib/sync/views.svelte';
import {
  addLivre,
  closeCopy,
  copyNames,
  elsewhere,
  forget,
  giveBack,
  lendTo,
  moveIn,
  moveOut,
  openCopy,
  setStatut,
  untilCurrent,
  untilWritten,
} from './household.ts';

const titres = () => livresView.search({}).map(({ titre }) => titre);

beforeEach(() => moveIn());
afterAll(moveOut);

describe('a copy', () => {
  test('holds what the server holds', async () => {
    const waves = await addLivre('Les Vagues', { auteurs: ['Virginia Woolf'] });
    const orlando = await addLivre('Orlando', { auteurs: ['Virginia Woolf'] });
    await giveBack(await lendTo(waves, 'Luc'));
    await lendTo(orlando, 'Anne');
    await setStatut(waves, 0);

    openCopy();
    await untilCurrent();
    expect(livresView.isReady()).toBe(true);
    expect(livresView.progress()).toBeNull();
    expect(titres()).toEqual(['Les Vagues', 'Orlando']);
    expect(livresView.get(orlando)).toMatchObject({ titre: 'Orlando', format: 'Physique' });
    expect(livresView.openPret(orlando)).toMatchObject({ emprunteur: 'Anne' });
    expect(pretsView.pretsOfLivre(waves)).toHaveLength(1);
    expect(livresView.statut(waves)).toBe(0);
    expect(livresView.statut(orlando)).toBeNull();
    expect(sortNextAuteurs()).toBe(false);
    expect(auteursView.count()).toBe(1);
    expect(auteursView.all()).toMatchObject([{ nom: 'Virginia Woolf', nombreLivres: 2 }]);
    expect(views().revisionOf('livres', orlando)).toBeGreaterThan(0);
  });

  test('is read without a network, then continued from its checkpoint', async () => {
    const livre = await addLivre('Les Vagues', { auteurs: ['V. Woolf'] });
    await setStatut(livre, 2);
    openCopy();
    await untilCurrent();
    await closeCopy();
    await addLivre('Orlando');

    await commands.setFrontBehaviour('noNetwork');
    openCopy();
    await expect.poll(() => livresView.isReady()).toBe(true);
    expect(titres()).toEqual(['Les Vagues']);
    expect(livresView.statut(livre)).toBe(2);

    await commands.setFrontBehaviour('transparent');
    await untilCurrent();
    expect(titres()).toEqual(['Les Vagues', 'Orlando']);
    const asked = await commands.takeAsked();
    const pulls = asked.filter((line) => line.startsWith('GET /api/replication?'));
    expect(pulls.at(-1)).toContain('revision=');
  });

  test('follows what is changed and deleted, through other records too', async () => {
    const waves = await addLivre('Les Vagues', { auteurs: ['Virginia Wolf'] });
    const orlando = await addLivre('Orlando');
    await setStatut(orlando, 1);
    openCopy();
    await untilCurrent();

    const [woolf] = auteursView.all();
    await elsewhere(modifierAuteur, {
      params: { id: woolf?.id ?? 0 },
      body: { nom: 'Virginia Woolf' },
    });
    await elsewhere(supprimerLivre, { params: { id: orlando } });
    await expect.poll(titres).toEqual(['Les Vagues']);
    await expect.poll(() => livresView.get(waves)?.auteurs[0]?.nom).toBe('Virginia Woolf');
    expect(livresView.statut(orlando)).toBeNull();

    await untilWritten();
    await closeCopy();
    await commands.setFrontBehaviour('noNetwork');
    openCopy();
    await expect.poll(titres).toEqual(['Les Vagues']);
  });

  test('survives being cut off in the middle of a page', async () => {
    for (const titre of ['Un', 'Deux', 'Trois']) await addLivre(titre);
    await commands.cutPullsAfter(0);
    openCopy();
    await expect.poll(() => device.status.connection).not.toBe('online');
    expect(livresView.isReady()).toBe(false);

    await commands.cutPullsAfter(null);
    await untilCurrent();
    expect(titres()).toEqual(['Deux', 'Trois', 'Un']);
  });

  test('of another database is replaced by a complete one when a person accepts it', async () => {
    await addLivre('Les Vagues');
    openCopy();
    await untilCurrent();
    const [old] = await copyNames();

    await commands.openHouse();
    await commands.signIn('alice');
    await addLivre('Orlando');
    await expect.poll(() => device.status.connection, { timeout: 30_000 }).toBe('otherHousehold');
    expect(titres()).toEqual(['Les Vagues']);
    device.replicas?.answer('take');
    await expect.poll(titres, { timeout: 30_000 }).toEqual(['Orlando']);
    await untilWritten();
    // The replaced database is deleted at the next start, when no other tab can still read it.
    await closeCopy();
    openCopy();
    await expect.poll(copyNames, { timeout: 30_000 }).not.toContain(old);
    await untilCurrent();

    await closeCopy();
    await commands.setFrontBehaviour('noNetwork');
    openCopy();
    await expect.poll(titres).toEqual(['Orlando']);
  });

  test('keeps the last hundred answers that are no records', async () => {
    openCopy();
    await untilCurrent();
    const collection = device.replicas?.answers ?? null;
    const kept = answers();
    kept.open('one', collection);
    await expect.poll(() => kept.isRead).toBe(true);
    const list = (auteur: string) => ({ auteur, oeuvres: [] });
    for (let id = 1; id <= 120; id++) await kept.keep(`bibliographie:${id}`, list(String(id)));
    await expect.poll(() => kept.get('bibliographie:20')).toBeNull();
    expect(await rowsOf((await copyNames())[0]?.replace('--packs', '--answers') ?? '')).toBe(100);
    goTo('two');
    expect(answers().get('bibliographie:120')).toBeNull();
    answers().open('two', collection);
    await expect.poll(() => answers().isRead).toBe(true);
    expect(answers().get('bibliographie:120')).toBeNull();
    // A late response of the previous household must not reach the next one.
    await kept.keep('bibliographie:7', list('7'));
    await answers().keep('bibliographie:8', list('8'));
    expect(answers().get('bibliographie:7')).toBeNull();
    goTo('one');
    answers().open('one', collection);
    await expect.poll(() => answers().get('bibliographie:120')?.value).toEqual(list('120'));
    expect(answers().get('bibliographie:20')).toBeNull();
    expect(answers().get('bibliographie:8')).toBeNull();
  });
});

/** Makes the screen switch to a household, as its replica does. */
function goTo(bibliotheque: string): void {
  device.status = { ...device.status, bibliotheque };
  identity.follow();
}

/** The number of rows in a replica's database, including those that RxDB has marked as deleted. */
function rowsOf(name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(new Error(name));
    opening.onsuccess = () => {
      const counted = opening.result.transaction('docs').objectStore('docs').count();
      counted.onsuccess = () => resolve(counted.result);
      opening.result.close();
    };
  });
}

describe('a broken replica is created again', () => {
  beforeEach(async () => {
    await addLivre('Les Vagues');
    openCopy();
    await untilCurrent();
  });

  async function untilBack() {
    openCopy();
    await untilCurrent();
    expect(titres()).toEqual(['Les Vagues']);
    await closeCopy();
    await commands.setFrontBehaviour('noNetwork');
    openCopy();
    await expect.poll(titres).toEqual(['Les Vagues']);
  }

  test('when its database was deleted', async () => {
    await closeCopy();
    for (const name of await copyNames()) await forget(name);
    await untilBack();
  });

  test('when its database has other tables', async () => {
    await closeCopy();
    for (const name of await copyNames()) {
      await forget(name);
      await new Promise<void>((done) => {
        const request = indexedDB.open(name, 990);
        request.onsuccess = () => {
          request.result.close();
          done();
        };
      });
    }
    await untilBack();
  });

  test('when it is deleted while it is open', async () => {
    const seen: number[] = [];
    const timer = setInterval(() => seen.push(titres().length), 5);
    for (const name of await copyNames()) await forget(name);
    await expect.poll(copyNames, { timeout: 30_000 }).toHaveLength(1);
    await untilCurrent();
    clearInterval(timer);
    expect(titres()).toEqual(['Les Vagues']);
    expect(new Set(seen)).toEqual(new Set([1]));
  });
});
