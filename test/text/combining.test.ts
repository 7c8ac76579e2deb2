import { describe, expect, test, vi } from 'vitest';
import { MAX_LENGTHS } from '#shared/fields';
import { inForm, nfc, normaliser } from '#shared/text';
import { importFile } from '../importations/support.ts';
import { openHouse } from '../support/house.ts';
import { send } from '../support/server.ts';

// Unicode's normalisation is quadratic in a run of combining marks.

/** Alternating marks above and below, which every normal form reorders. */
const marks = (count: number): string => '\u0301\u0316'.repeat(count / 2);

const LONG_RUN = /(?:(?!\u034F)\p{M}){31}/u;

describe('however texts come in, no long run of marks is normalised', () => {
  const normalised: string[] = [];
  const watching = async (work: () => Promise<unknown>): Promise<void> => {
    const spy = vi.spyOn(String.prototype, 'normalize');
    try {
      await work();
      normalised.push(...spy.mock.contexts.map(String));
    } finally {
      spy.mockRestore();
    }
    expect(normalised.some((text) => /\p{M}/u.test(text))).toBe(true);
    expect(normalised.filter((text) => LONG_RUN.test(text))).toEqual([]);
  };

  test('in a body', async () => {
    const house = await openHouse();
    await watching(async () => {
      const body = { titre: `a${marks(200_000)}`, format: 'Physique', auteurs: [marks(1000)] };
      const answer = await house.ask(null, 'POST', '/api/livres', body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'REQUETE_INVALIDE' } });
    });
  });

  test('in a body that is taken', async () => {
    const house = await openHouse();
    await watching(async () => {
      const body = { titre: `a${marks(400)}`, format: 'Physique', auteurs: ['Zoé'] };
      const answer = await house.ask(null, 'POST', '/api/livres', body);
      expect(answer.status).toBe(201);
      const read = await house.ask(null, 'GET', '/api/livres/1');
      expect(read.body).toMatchObject({ titre: nfc(body.titre) });
    });
  });

  test('in a query', async () => {
    const house = await openHouse();
    await watching(async () => {
      const query = `q=${encodeURIComponent(`a${marks(1000)}`)}`;
      await house.ask(null, 'GET', `/api/livres?${query}`);
    });
  });

  test('in a header', async () => {
    const house = await openHouse();
    await watching(async () => {
      const name = Buffer.from(`a${marks(2000)}`).toString('latin1');
      const headers = ['SSO_USER', name, 'SSO_USER_FULLNAME', name];
      expect((await send(`${house.url}/api/moi`, { headers })).status).toBe(200);
      await house.ask('zoé', 'GET', '/api/livres?q=é');
    });
  });

  test('in a file to import', async () => {
    const house = await openHouse();
    const title = (count: number) => `a${marks(count)}`;
    const file = `Titre,Auteur,Série\n${title(100_000)},${marks(5000)},${marks(5000)}\n${title(400)},Zoé,\n`;
    await watching(async () => {
      const colonnes = JSON.stringify({ titre: 'Titre', auteurs: 'Auteur', serie: 'Série' });
      const { nouveaux } = await importFile(house, file, { colonnes });
      expect(nouveaux).toBe(1);
    });
  });
});

describe('a text with few marks is as Unicode has it', () => {
  test.each(['e\u0301', 'a\u0316\u0301', 'ｶﾞ', '한국', 'Đặng Thị', `x${marks(28)}`])(
    '%s',
    (text) => {
      for (const form of ['NFC', 'NFD', 'NFKD'] as const)
        expect(inForm(form, text)).toBe(text.normalize(form));
    },
  );
});

test('a text with many marks is found without them', () => {
  const text = nfc(`Zoé${marks(MAX_LENGTHS.titre)} a`);
  expect(text.replaceAll('\u034F', '')).toHaveLength(`Zoé${marks(MAX_LENGTHS.titre)} a`.length);
  expect(nfc(text)).toBe(text);
  expect(normaliser(text)).toBe('zoe a');
});
