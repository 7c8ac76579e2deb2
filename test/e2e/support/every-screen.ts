import { ajouterEmplacement, ajouterSerie, rangerLivre } from './collections.ts';
import type { Household } from './household.ts';
import { addressesIn } from './screens.ts';

/** The texts of the household's records. */
interface Texts {
  readonly titre: string;
  readonly numero: string;
  readonly auteur: string;
  readonly emprunteur: string;
  readonly emplacement: string;
  readonly theme: string;
}

interface EveryScreen {
  /** An address of each screen, except those for households with accounts. */
  readonly routes: readonly string[];
  /** The innermost of six nested locations; it holds two books. */
  readonly emplacement: number;
}

/** Creates a record of each kind with these texts, and returns the addresses of the screens. */
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
  // A second reader has the same book and the same wish.
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
