import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { estDemandable, estPublique } from '#server/couvertures/domain/adresse';
import { Relais } from '#server/couvertures/domain/relais';
import {
  BASCULES,
  IMAGES,
  INDEMANDABLES,
  INTERDITES,
  INTERDITS,
  LITTERAUX,
  NOMS,
  PUBLIQUE,
  PUBLIQUE6,
  SANS_IMAGE,
  ZONE,
} from './cas.ts';
import { compter, essayer, type Compte, type Reponse } from './espace/espace.ts';

const espace = essayer();
const lieu = espace.possible
  ? 'in a network namespace'
  : `on the address rule and the connector alone (no network namespace: ${espace.raison})`;
process.stdout.write(`The cover relay is tried ${lieu}.\n`);

if (espace.possible) {
  describe(`the relay, ${lieu}`, dansUnEspace);
} else if (process.env['CI']) {
  test('this machine makes network namespaces', () => {
    throw new Error(`The relay must be tried in one, and there is none: ${espace.raison}`);
  });
} else {
  describe(`the relay, ${lieu}`, seuls);
}

/** Sixty seconds: what is refused for being slow is waited for. */
const PATIENCE = 60_000;

function dansUnEspace(): void {
  let compte: Compte;
  beforeAll(() => {
    compte = compter();
  }, PATIENCE);

  const refus = (): Reponse => {
    const [premier] = Object.values(compte.inconnues);
    if (premier === undefined) throw new Error('No refusal');
    return premier;
  };

  test('no connection was opened to a forbidden address or port', () => {
    expect(compte.effractions).toEqual([]);
  });

  test.each(Object.entries(IMAGES))('shows %s as %s', (url, type) => {
    const reponse = compte.images[url];
    expect(reponse).toMatchObject({
      status: 200,
      entetes: {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': expect.stringMatching(/^private, max-age=\d{5,}/u) as string,
      },
    });
    expect(Object.keys(reponse?.entetes ?? {})).not.toContain('set-cookie');
    expect(Object.keys(reponse?.entetes ?? {})).not.toContain('x-espion');
  });

  test('gives the bytes as they came', () => {
    expect(compte.images['http://images.test/png']?.corps).toMatch(/^\x89PNG\r\n\x1a\n\0+$/u);
    expect(compte.images['http://images.test/dix-mio']?.longueur).toBe(10 * 1024 * 1024);
  });

  test.each(INTERDITS)('refuses %s', (url) => expect(compte.interdits[url]).toEqual(refus()));

  test.each(SANS_IMAGE)('refuses what %s gives', (url) => {
    expect(compte.sansImage[url]).toEqual(refus());
    expect(compte.visites.map(({ chemin }) => chemin)).toContain(new URL(url).pathname);
  });

  test('refuses what it does not know, with the one and same answer', () => {
    expect(refus().status).toBe(404);
    expect(refus().corps).toContain('INTROUVABLE');
    for (const reponse of Object.values(compte.inconnues)) expect(reponse).toEqual(refus());
    expect(compte.visites.map(({ chemin }) => chemin)).not.toContain('/inconnue');
  });

  test('connects to the address that it checked, whatever the name says a moment later', () => {
    const statuts = compte.bascules.map((tour) => BASCULES.map((url) => tour[url]?.status));
    expect(statuts).toEqual([
      [200, 404],
      [404, 200],
    ]);
  });

  test('sends up nothing of the caller', () => {
    expect(compte.visites.length).toBeGreaterThan(Object.keys(IMAGES).length);
    for (const { entetes } of compte.visites) {
      expect(Object.keys(entetes).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
    }
  });
}

function seuls(): void {
  test.each([...LITTERAUX, ...INDEMANDABLES, ...NOMS.filter((nom) => /localhost/iu.test(nom))])(
    'refuses %s',
    async (url) => {
      const relais = new Relais(2000);
      onTestFinished(() => relais.close());
      await expect(relais.chercher(url, new AbortController().signal)).rejects.toThrow();
    },
  );

  test.each(NOMS.filter((nom) => !/localhost/iu.test(nom)))('admits no address of %s', (url) => {
    const reponses = ZONE[new URL(url).hostname.replace(/\.$/u, '')] ?? [];
    expect(reponses.flat().filter(estPublique)).toEqual([]);
  });

  test.each(INTERDITES)('%s is not public', (adresse) => expect(estPublique(adresse)).toBe(false));

  test.each([PUBLIQUE, PUBLIQUE6])('%s is', (adresse) => expect(estPublique(adresse)).toBe(true));

  test.each(Object.keys(IMAGES))('%s may be asked for', (url) => {
    expect(estDemandable(new URL(url))).toBe(true);
  });
}
