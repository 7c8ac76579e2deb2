import { expect, test } from 'vitest';
import type { RechercheIsbn } from '#shared/recherche';
import { Questions } from '#server/subjects/complements';
import { temporaryDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/lines.ts';

/** Books 1 and 2, about which simulated catalogues are to be asked. */
function openQuestions() {
  const database = temporaryDatabase();
  const asked: ((found: RechercheIsbn | Error) => void)[] = [];
  const reported: unknown[] = [];
  const questions = new Questions(
    database,
    () =>
      new Promise((resolve, reject) => {
        asked.push((found) => (found instanceof Error ? reject(found) : resolve(found)));
      }),
    (error) => reported.push(error),
  );
  const commit = () => run(database, "UPDATE Livre SET editeur = 'Nord'");
  run(
    database,
    ...['1', '2'].flatMap((id) => [
      `INSERT INTO Livre (id, titre, titreNormalise, cleOeuvre, format, dateAjout, isbn)
       VALUES (${id}, 'A', 'a', 'a', 'Physique', '2024-01-01T00:00:00.000Z', '978207036002${id}')`,
      `INSERT INTO Complement (livreId, etat) VALUES (${id}, 'attente')`,
    ]),
  );
  const states = () =>
    database.values<string>('SELECT etat FROM Complement ORDER BY livreId').join(' ');
  return { database, questions, asked, reported, commit, states };
}

const NOTHING: RechercheIsbn = { type: 'livre', isbn: '', candidats: [], sources: [] };

test('a question waits for its response, despite writes meanwhile', async () => {
  const { questions, asked, commit, states } = openQuestions();
  await eventually(() => asked.length).toBe(1);
  commit();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toHaveLength(1);
  asked[0]?.(NOTHING);
  await eventually(() => asked.length).toBe(2);
  expect(states()).toBe('rien attente');
  questions.close();
});

test('a failed question is reported, then asked again', async () => {
  const { questions, asked, reported, commit, states } = openQuestions();
  await eventually(() => asked.length).toBe(1);
  const failure = new Error('a defect');
  asked[0]?.(failure);
  await eventually(() => reported.length).toBe(1);
  expect(reported).toEqual([failure]);
  await new Promise((resolve) => setImmediate(resolve));
  commit();
  await eventually(() => asked.length).toBe(2);
  expect(states()).toBe('attente attente');
  questions.close();
});

test.each([NOTHING, new Error('aborted')])(
  'an answer to a closed service is not kept: %s',
  async (answer) => {
    const { questions, asked, reported, commit, states } = openQuestions();
    await eventually(() => asked.length).toBe(1);
    questions.close();
    asked[0]?.(answer);
    commit();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([asked.length, reported, states()]).toEqual([1, [], 'attente attente']);
  },
);
