import { expect, test } from 'vitest';
import { ajouterRevue } from '../support/revues.ts';
import { testUpstream, houseWithSources, silence } from '../support/upstream.ts';

const REVUE = {
  type: 'revue',
  issn: '2917-0443',
  titre: 'Cahiers du rivage',
  revueId: null,
  sources: [{ nom: 'bnf', etat: 'ok' }],
};

test('a periodical’s code gives its ISSN and known title', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  const lookUp = (code: string) => house.ask(null, 'GET', `/api/recherche-isbn/${code}`);
  for (const code of ['9772917044002', '977-2917044-00-2', '977291704400203', '977291704400200012'])
    expect((await lookUp(code)).body, code).toEqual(REVUE);
  const notFound = await lookUp('9770988248008');
  expect(notFound.body).toEqual({ ...REVUE, issn: '0988-2480', titre: null });
  upstream.behave('/api/SRU', silence('answers 500'));
  const silentFrom = await lookUp('9772917044002');
  expect(silentFrom.body).toEqual({
    ...REVUE,
    titre: null,
    sources: [{ nom: 'bnf', etat: 'injoignable' }],
  });
});

test('the household’s periodical with that ISSN is returned', async () => {
  const house = await houseWithSources(await testUpstream());
  await ajouterRevue(house, { titre: 'Autre', issn: '0988-2480' });
  await ajouterRevue(house, { titre: 'Les cahiers', issn: '29170443' });
  const { body } = await house.ask(null, 'GET', '/api/recherche-isbn/9772917044002');
  expect(body).toEqual({ ...REVUE, revueId: 2 });
});

test('a periodical’s wrong check digit is refused without asking a source', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  const { status, body } = await house.ask(null, 'GET', '/api/recherche-isbn/9772917044003');
  expect([status, body]).toMatchObject([400, { code: 'ISBN_INVALIDE', revue: '9772917044003' }]);
  expect((body as { message: string }).message).toContain(
    'Le code de revue 9772917044003 est faux : le dernier chiffre devrait être 2, et non 3.',
  );
  expect(upstream.requests).toEqual([]);
});
