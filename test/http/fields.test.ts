import { Ajv } from 'ajv';
import { Type, type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { modifierMotDePasse } from '#shared/connexion';
import { ajouterLivre } from '#shared/livres';
import { formatChampFault } from '#shared/champs';
import { toChamps } from '#server/plumbing/http/request';

function champs(schema: TSchema, value: unknown): [string, string][] {
  const validate = new Ajv({ allErrors: true }).compile(schema);
  validate(value);
  return toChamps(validate.errors ?? []).map((one) => [one.champ, formatChampFault(one)]);
}

const livre = { titre: 'Un titre', format: 'Physique' };

test.each<[unknown, [string, string][]]>([
  [
    {},
    [
      ['titre', 'doit être donné'],
      ['format', 'doit être donné'],
    ],
  ],
  [{ ...livre, titre: 12 }, [['titre', 'doit être un texte']]],
  [{ ...livre, titre: '' }, [['titre', 'ne doit pas être vide']]],
  [{ ...livre, titre: 'a'.repeat(501) }, [['titre', 'ne doit pas dépasser 500 caractères']]],
  [
    { ...livre, format: 'Papier' },
    [['format', 'doit être l’une de ces valeurs : Physique, Numerique']],
  ],
  [
    { ...livre, typeDocument: 'X' },
    [['typeDocument', 'doit être l’une de ces valeurs : NonPrecise, Roman, BandeDessinee']],
  ],
  [{ ...livre, annee: '2007' }, [['annee', 'doit être un nombre entier']]],
  [{ ...livre, annee: 4000 }, [['annee', 'doit être au plus 3000']]],
  [{ ...livre, annee: -4000 }, [['annee', 'doit être au moins -3000']]],
  [{ ...livre, auteurs: 'Hugo' }, [['auteurs', 'doit être une liste']]],
  [{ ...livre, auteurs: ['a', 5] }, [['auteurs.1', 'doit être un texte ou un objet']]],
  [{ ...livre, auteurs: [{}] }, [['auteurs.0.nom', 'doit être donné']]],
  [
    { ...livre, auteurs: [{ nom: 5 }, null] },
    [
      ['auteurs.0.nom', 'doit être un texte'],
      ['auteurs.1', 'doit être un texte ou un objet'],
    ],
  ],
  [
    { ...livre, auteurs: ['a'.repeat(201)] },
    [['auteurs.0', 'ne doit pas dépasser 200 caractères']],
  ],
  [
    { ...livre, auteurs: Array(101).fill('a') },
    [['auteurs', 'ne doit pas compter plus de 100 éléments']],
  ],
  [{ ...livre, confirmerDoublon: 'oui' }, [['confirmerDoublon', 'doit être vrai ou faux']]],
])('%j', (value, expected) => {
  expect(champs(ajouterLivre.body, value)).toEqual(expected);
});

test('a password that is too short is refused with the least length', () => {
  expect(champs(modifierMotDePasse.body, { nouveau: 'sept777' })).toEqual([
    ['nouveau', 'doit compter au moins 8 caractères'],
  ]);
});

test('a field’s name keeps its slash or tilde in errors', () => {
  const schema = Type.Object({ 'a/b~c': Type.Object({ d: Type.Integer() }) });
  expect(champs(schema, { 'a/b~c': { d: 'x' } })).toEqual([
    ['a/b~c.d', 'doit être un nombre entier'],
  ]);
});

test('each wrong field is named once, twenty at most', () => {
  const schema = Type.Array(Type.Intersect([Type.Integer(), Type.Number()]));
  const named = champs(schema, Array(50).fill('x'));
  expect(named).toHaveLength(20);
  expect(new Set(named.map(([champ]) => champ)).size).toBe(20);
});

test('each error is read a few times, however many', () => {
  const schema = Type.Array(Type.Union([Type.String(), Type.Object({ nom: Type.String() })]));
  const validate = new Ajv({ allErrors: true }).compile(schema);
  validate(Array(5000).fill(1));
  let reads = 0;
  const counted = (validate.errors ?? []).map(
    (error) =>
      new Proxy(error, {
        get: (target, name) => {
          reads++;
          return Reflect.get(target, name) as unknown;
        },
      }),
  );
  expect(counted).toHaveLength(15_000);
  expect(toChamps(counted)).toHaveLength(20);
  expect(reads).toBeLessThan(20 * counted.length);
});
