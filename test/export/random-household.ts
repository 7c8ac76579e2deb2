import fc from 'fast-check';
import type { Auteur } from '#shared/auteurs';
import type { Serie } from '#shared/series';
import type { House } from '../support/house.ts';
import { png } from '../support/png.ts';

const user = fc.constantFrom('ana', 'bob');
const isbn = fc.constantFrom(null, null, '9782070360024', '9782253004226', '9782070368228');
const titre = fc.constantFrom(
  ...['Nadja', 'nadja', '=SOMME(A1)', 'Œuvres\u00a0: tome 2', 'Œuvres', '😀', '…', 'Zoé & {x}'],
);
const nom = fc.constantFrom(
  ...[
    'Jean Martin',
    'JEAN MARTIN',
    'Jacques Martin',
    'J. Martin',
    'BRUN, Luc',
    'Æ',
    'Colette',
    '?',
  ],
);
/** Which of the records that there are by then. */
const which = fc.nat(30);

/** What somebody does in a household; what the household refuses is left. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('livre' as const),
      by: fc.constantFrom('ana', 'bob', null),
      body: fc.record({
        titre,
        format: fc.constantFrom('Physique', 'Physique', 'Numerique'),
        auteurs: fc.uniqueArray(nom, { maxLength: 3 }),
        isbn,
        typeDocument: fc.constantFrom('Roman', 'BandeDessinee', null),
        annee: fc.constantFrom(null, -50, 1900, 2026),
        nombrePages: fc.constantFrom(null, 123),
        editeur: fc.constantFrom(null, 'Éditions, « du » Seuil'),
        coverUrl: fc.constantFrom(null, 'https://exemple.org/c.jpg'),
      }),
    }),
  },
  fc.record({ kind: fc.constant('suppression' as const), livre: which }),
  fc.record({ kind: fc.constantFrom('fusions' as const, 'refus' as const), a: which, b: which }),
  fc.record({ kind: fc.constant('nom' as const), a: which, nom }),
  fc.record({ kind: fc.constant('pret' as const), livre: which, isReturned: fc.boolean() }),
  fc.record({ kind: fc.constant('statut' as const), by: user, livre: which, statut: fc.nat(2) }),
  fc.record({ kind: fc.constant('couverture' as const), livre: which, grey: fc.nat(3) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('serie' as const),
      titre,
      parent: fc.option(which),
      places: fc.array(
        fc.record({
          titre,
          numero: fc.constantFrom(null, '1', '2', '7 bis'),
          auteur: fc.constantFrom(null, 'Colette'),
          isbn,
          livre: fc.option(which),
        }),
        { maxLength: 3 },
      ),
    }),
  },
  fc.record({ kind: fc.constant('placeSouhaitee' as const), by: user, serie: which, place: which }),
  fc.record({
    kind: fc.constant('numero' as const),
    titre,
    issn: fc.constantFrom(null, '0988-2480'),
    secondIssn: fc.constantFrom(null, '0988-2480', '2917-0443'),
    numero: fc.constantFrom('1', '2 bis', 'hors série'),
    themes: fc.uniqueArray(fc.constantFrom('Mer', 'Île'), { maxLength: 2 }),
    articles: fc.array(fc.constantFrom('Un', 'Deux'), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom('souhaits' as const, 'souhaits-revues' as const),
    by: user,
    titre,
    more: fc.constantFrom(null, 'Colette', 'Luc Brun ; Colette'),
  }),
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 40, size: 'max' });

/** Plays what people do, one thing after the other. */
export async function play(house: House, todo: readonly Step[]): Promise<void> {
  const livres: number[] = [];
  for (const each of todo) {
    const id = await playOne(house, each, livres);
    if (each.kind === 'livre' && id !== null) livres.push(id);
  }
}

const at = <T>(some: readonly T[], index: number): T | undefined => some[index % some.length];

async function playOne(
  house: House,
  todo: Step,
  livres: readonly number[],
): Promise<number | null> {
  const ask = async (by: string | null, method: string, path: string, body?: unknown) => {
    const answer = await house.ask(by, method, path, body);
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer.status < 400 ? answer.body : null;
  };
  const list = async <T>(path: string) => (await ask('ana', 'GET', path)) as T[];
  const idOf = (answer: unknown) => (Object(answer) as { id?: number }).id ?? null;
  const livre = 'livre' in todo ? at(livres, todo.livre) : undefined;
  switch (todo.kind) {
    case 'livre':
      return idOf(await ask(todo.by, 'POST', '/api/livres?confirmerDoublon=true', todo.body));
    case 'suppression':
      await ask('ana', 'DELETE', `/api/livres/${livre}`);
      return null;
    case 'pret': {
      const pret = idOf(
        await ask('bob', 'POST', `/api/livres/${livre}/prets`, { emprunteur: 'Tante Zoé' }),
      );
      if (todo.isReturned) await ask('ana', 'POST', `/api/prets/${pret}/retour`, {});
      return null;
    }
    case 'statut':
      await ask(todo.by, 'PUT', `/api/livres/${livre}/statut`, { statut: todo.statut });
      return null;
    case 'couverture':
      await putCover(house, livre, todo.grey);
      return null;
    case 'fusions':
    case 'refus': {
      const auteurs = await list<Auteur>('/api/auteurs');
      const pair = [at(auteurs, todo.a)?.id, at(auteurs, todo.b)?.id];
      await ask('ana', 'POST', `/api/auteurs/${todo.kind}`, { auteurs: pair });
      return null;
    }
    case 'nom': {
      const auteur = at(await list<Auteur>('/api/auteurs'), todo.a);
      await ask('ana', 'PUT', `/api/auteurs/${auteur?.id}`, { nom: todo.nom });
      return null;
    }
    case 'serie': {
      const series = await list<Serie>('/api/series');
      const parentId = todo.parent === null ? null : (at(series, todo.parent)?.id ?? null);
      const places = todo.places.map(({ livre: index, ...place }) => ({
        ...place,
        livreId: index === null ? null : (at(livres, index) ?? null),
      }));
      await ask('ana', 'POST', '/api/series', { titre: todo.titre, parentId, places });
      return null;
    }
    case 'placeSouhaitee': {
      const places = at(await list<Serie>('/api/series'), todo.serie)?.places ?? [];
      await ask(todo.by, 'POST', `/api/places/${at(places, todo.place)?.id}/souhait`, {});
      return null;
    }
    case 'numero':
      await ask('ana', 'POST', '/api/revues/numeros', {
        revue: { titre: todo.titre, issn: todo.issn, secondIssn: todo.secondIssn },
        numero: { numero: todo.numero, themes: todo.themes, articles: todo.articles },
      });
      return null;
    case 'souhaits':
      await ask(todo.by, 'POST', '/api/souhaits', { titre: todo.titre, auteur: todo.more });
      return null;
    case 'souhaits-revues':
      await ask(todo.by, 'POST', '/api/souhaits-revues', { titre: todo.titre, numero: todo.more });
      return null;
  }
}

async function putCover(house: House, livre: number | undefined, grey: number): Promise<void> {
  const pixels = new Uint8Array(600).fill(grey * 60);
  await fetch(`${house.url}/api/livres/${livre}/couverture`, {
    method: 'PUT',
    headers: house.headersOf('ana'),
    body: new Uint8Array(png({ width: 20, height: 30, pixels })),
  });
}
