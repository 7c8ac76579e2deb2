import { describe, expect, test } from 'vitest';
import type { Revue } from '#shared/revues';
import { openHouse, type House } from '../support/house.ts';
import { run } from '../support/lines.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';
import { rangs, souhaiterRevue } from '../support/souhaits.ts';

const acheter = (house: House, utilisateur: string | null, id: number, body: object) =>
  house.ask(utilisateur, 'POST', `/api/souhaits-revues/${String(id)}/achat`, body);

const revues = async (house: House) =>
  (await house.ask(null, 'GET', '/api/revues')).body as Revue[];

const wished = { titre: 'Cahiers', numero: '12 bis', issn: '0988-2480' };

describe('a wished issue that is bought', () => {
  test('enters a periodical made for it, and leaves the list', async () => {
    const house = await openHouse();
    await souhaiterRevue(house, 'ana', wished);
    await souhaiterRevue(house, 'ana', { titre: 'Rivages' });
    const { status, body, headers } = await acheter(house, 'ana', 1, { une: 'La mer' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: 1, revueId: 1, numero: '12 bis', une: 'La mer', themes: [] });
    expect(headers.get('location')).toBe('/api/numeros/1');
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect((await house.ask(null, 'GET', '/api/numeros/1')).body).toEqual(body);
    expect(await revues(house)).toEqual([
      { id: 1, titre: 'Cahiers', issn: '0988-2480', secondIssn: null },
    ]);
    expect(await rangs(house, 'ana', 'souhaits-revues')).toEqual(['1 Rivages']);
  });

  test('enters a periodical that is there, which takes the ISSN', async () => {
    const house = await openHouse();
    await ajouterRevue(house, { titre: 'CAHIERS' });
    await souhaiterRevue(house, 'ana', wished);
    expect(await acheter(house, 'ana', 1, { numero: ' 13 ' })).toMatchObject({
      status: 201,
      body: { revueId: 1, numero: '13' },
    });
    expect(await revues(house)).toEqual([
      { id: 1, titre: 'CAHIERS', issn: '0988-2480', secondIssn: null },
    ]);
  });

  test('may have an ISSN that only an older rule accepted', async () => {
    const house = await openHouse();
    await souhaiterRevue(house, 'ana', wished);
    run(house.context.database, "UPDATE RevueSouhaitee SET issn = 'inconnu'");
    expect((await acheter(house, 'ana', 1, {})).status).toBe(201);
    expect(await revues(house)).toMatchObject([{ titre: 'Cahiers', issn: null }]);
  });
});

describe('a purchase of an issue that is refused', () => {
  test('needs a number from the payload or from the wish', async () => {
    const house = await openHouse();
    await souhaiterRevue(house, 'ana', { titre: 'Cahiers' });
    for (const numero of [undefined, null, ' '])
      expect(await acheter(house, 'ana', 1, { numero })).toMatchObject({
        status: 400,
        body: {
          code: 'REQUETE_INVALIDE',
          champs: [{ champ: 'numero', message: 'est nécessaire' }],
        },
      });
    expect(await revues(house)).toEqual([]);
    expect((await acheter(house, 'ana', 1, { numero: '1' })).status).toBe(201);
  });

  test('for an issue already owned changes nothing', async () => {
    const house = await openHouse();
    const { id } = await ajouterRevue(house, { titre: 'Cahiers' });
    await ajouterNumero(house, id, { numero: '12 BIS' });
    await souhaiterRevue(house, 'ana', wished);
    const revision = house.context.database.revision();
    expect(await acheter(house, 'ana', 1, {})).toMatchObject({
      status: 409,
      body: { code: 'NUMERO_EXISTANT' },
    });
    expect(house.context.database.revision()).toBe(revision);
    expect(await revues(house)).toMatchObject([{ issn: null }]);
    expect(await rangs(house, 'ana', 'souhaits-revues')).toEqual(['1 Cahiers']);
  });

  test('of another reader, a deleted wish or an unknown caller', async () => {
    const house = await openHouse();
    await souhaiterRevue(house, 'ana', wished);
    for (const id of [1, 99])
      expect(await acheter(house, 'bob', id, {})).toMatchObject({ status: 404 });
    expect(await acheter(house, null, 1, {})).toMatchObject({ status: 401 });
    expect(await revues(house)).toEqual([]);
    expect(await rangs(house, 'ana', 'souhaits-revues')).toEqual(['1 Cahiers']);
  });
});
