import { expect, test } from 'vitest';
import { ajouterRevue } from '../support/revues.ts';
import { amontDeTest, maisonReliee, silence } from '../support/upstream.ts';

const REVUE = {
  type: 'revue',
  issn: '2917-0443',
  titre: 'Cahiers du rivage',
  revueId: null,
  sources: [{ nom: 'bnf', etat: 'ok' }],
};

test.each(['9772917044002', '977-2917044-00-2', '977291704400203', '977291704400200012'])(
  'the code %s is the periodical of its ISSN',
  async (code) => {
    const maison = await maisonReliee(await amontDeTest());
    const { status, body } = await maison.ask(null, 'GET', `/api/recherche-isbn/${code}`);
    expect(status).toBe(200);
    expect(body).toEqual(REVUE);
  },
);

test('an ISSN that the source does not have, and a source that is silent', async () => {
  const amont = await amontDeTest();
  const maison = await maisonReliee(amont);
  const inconnue = await maison.ask(null, 'GET', '/api/recherche-isbn/9770988248008');
  expect(inconnue.body).toEqual({ ...REVUE, issn: '0988-2480', titre: null });
  amont.conduire('/api/SRU', silence('answers 500'));
  const muette = await maison.ask(null, 'GET', '/api/recherche-isbn/9772917044002');
  expect(muette.body).toEqual({
    ...REVUE,
    titre: null,
    sources: [{ nom: 'bnf', etat: 'injoignable' }],
  });
});

test('the household’s periodical of that ISSN is told', async () => {
  const maison = await maisonReliee(await amontDeTest());
  await ajouterRevue(maison, { titre: 'Autre', issn: '0988-2480' });
  await ajouterRevue(maison, { titre: 'Les cahiers', issn: '29170443' });
  const { body } = await maison.ask(null, 'GET', '/api/recherche-isbn/9772917044002');
  expect(body).toEqual({ ...REVUE, revueId: 2 });
});

test('a wrong check digit is no code, and nobody is asked', async () => {
  const amont = await amontDeTest();
  const maison = await maisonReliee(amont);
  const { status, body } = await maison.ask(null, 'GET', '/api/recherche-isbn/9772917044003');
  expect([status, body]).toMatchObject([400, { code: 'ISBN_INVALIDE' }]);
  expect(amont.demandes).toEqual([]);
});
