import type { Lecture, LectureSaisie } from '#shared/lectures';
import type { House } from '../support/house.ts';

/** Adds a reading, and returns the response. */
export async function noter(
  house: House,
  utilisateur: string,
  saisie: LectureSaisie,
): Promise<Lecture> {
  const { status, body } = await house.ask(utilisateur, 'POST', '/api/lectures', saisie);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as Lecture;
}

/** All readings of a reader, or those of one book. */
export async function lecturesDe(
  house: House,
  utilisateur: string,
  query = '',
): Promise<Lecture[]> {
  return (await house.ask(utilisateur, 'GET', `/api/lectures${query}`)).body as Lecture[];
}
