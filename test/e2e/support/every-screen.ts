import { ajouterEmplacement, ajouterSerie, rangerLivre } from './collections.ts';
import type { Household } from './household.ts';
import { addressesIn } from './screens.ts';

/** What stands in the records of a house of one of each kind. */
interface Texts {
  readonly titre: string;
  readonly numero: string;
  readonly auteur: string;
  readonly emprunteur: string;
  readonly emplacement: string;
  readonly theme: string;
}

interface EveryScreen {
  /** An address of each screen but those that only a house with accounts has. */
  readonly routes: readonly string[];
  /** The innermost of six locations, which has two books. */
  readonly emplacement: number;
}

/** Gives a house a record of each kind, with these texts, and says where each screen is. */
export async function everyScreen(house: Household, texts: Texts): Promise<EveryScreen> {
  const { titre, numero: number, auteur, emprunteur, theme } = texts;
  const livre = await house.ajouter({
    titre,
    auteurs: [auteur],
    isbn: '9782070408504',
    editeur: auteur,
    themes: [theme],
  });
  await house.preter(livre, emprunteur);
  await house.souhaiter('alice', { titre });
  // Somebody else reads it, too, and wishes for the same.
  await house.souhaiter('bruno', { titre, auteur });
  await house.noter('bruno', { livreId: livre.id, debut: '2026-03-01' });
  await house.partager('bruno', { lectures: true, souhaits: true });
  const numero = await house.ajouterNumero(titre, number);
  const lecture = await house.noter('alice', { titre, debut: '2026-03-01' });
  const { id: serie } = await ajouterSerie(house, {
    titre,
    places: [{ titre, numero: number.slice(0, 20) }],
  });
  let { id: emplacement } = await ajouterEmplacement(house, { nom: texts.emplacement });
  for (let level = 1; level < 6; level++) {
    const saisi = { nom: texts.emplacement, parentId: emplacement };
    ({ id: emplacement } = await ajouterEmplacement(house, saisi));
  }
  const there = await house.ajouter({ titre: texts.emplacement });
  for (const { id } of [livre, there]) await rangerLivre(house, id, emplacement);
  const places = addressesIn({
    livre: livre.id,
    auteur: livre.auteurs[0]?.id ?? 0,
    theme,
    serie,
    emplacement,
    revue: numero.revueId,
    numero: numero.id,
    lecture: lecture.id,
  });
  const others = ['/rangement?recherche=m', '/aide/telephone', '/aide/rangement'];
  return { routes: [...Object.values(places), ...others], emplacement };
}
