import type { Page } from 'playwright';
import { unfoldFields } from './add.ts';
import { openPairs } from './auteurs.ts';
import { closeSheet, moveByKeys, pressIn } from './souhaits.ts';
import { press, save, type Paths } from './undo.ts';

/** A modification made on the screen `at`, and the confirmation that the bar shows. */
export interface ModificationCase {
  readonly name: string;
  readonly at: keyof Paths;
  readonly act: (page: Page) => Promise<void>;
  readonly says: string | RegExp;
}

const edit = (label: string, value: string) => async (page: Page) => {
  await press(page, 'Modifier');
  await page.getByLabel(label, { exact: true }).fill(value);
  await save(page);
};

export const MODIFICATIONS: readonly ModificationCase[] = [
  {
    name: 'a status',
    at: 'dune',
    act: (page) => page.getByRole('radio', { name: 'À lire' }).check(),
    says: 'Marqué à lire : Dune',
  },
  {
    name: 'a loan',
    at: 'dune',
    act: async (page) => {
      await page.getByLabel('Emprunteur').fill('Zoé');
      await press(page, 'Prêter');
    },
    says: 'Prêté à Zoé : Dune',
  },
  {
    name: 'a return',
    at: 'prets',
    act: (page) => press(page, 'Rendu : Sido'),
    says: /^Rendu par \S+\s: Sido$/,
  },
  {
    name: 'the deletion of a book',
    at: 'dune',
    act: (page) => press(page, 'Supprimer'),
    says: 'Livre supprimé : Dune',
  },
  {
    name: 'the edit of a book, with its series',
    at: 'lent',
    act: async (page) => {
      await press(page, 'Modifier');
      await page.getByLabel('Année').fill('1930');
      await unfoldFields(page);
      await page.getByLabel('Série').fill('La maison de Claudine');
      await save(page);
    },
    says: 'Livre modifié : Sido',
  },
  {
    name: 'a book put in a series',
    at: 'lent',
    act: async (page) => {
      await press(page, 'Mettre dans une série');
      await page.getByLabel('Série', { exact: true }).fill('Claudine');
      await save(page);
    },
    says: 'Placé dans la série Claudine : Sido',
  },
  {
    name: 'a volume taken out',
    at: 'dune',
    act: edit('Série', ''),
    says: 'Livre modifié : Dune',
  },
  {
    name: 'the edit of a series',
    at: 'serie',
    act: edit('Titre', 'Dune, le cycle'),
    says: 'Série modifiée : Dune, le cycle',
  },
  {
    name: 'the order of a series',
    at: 'serie',
    act: async (page) => {
      await press(page, 'Changer l’ordre');
      await press(page, 'Descendre');
    },
    says: 'Série rangée : Le cycle de Dune',
  },
  {
    name: 'a missing volume wished for',
    at: 'serie',
    act: (page) => press(page, 'Mettre sur ma liste'),
    says: 'Souhait ajouté : Le Messie de Dune',
  },
  {
    name: 'the deletion of a series',
    at: 'serie',
    act: (page) => press(page, 'Supprimer'),
    says: 'Série supprimée : Le cycle de Dune',
  },
  {
    name: 'the deletion of a periodical with its issue',
    at: 'revue',
    act: (page) => press(page, 'Supprimer'),
    says: 'Revue supprimée et son numéro : La Hulotte',
  },
  {
    name: 'the edit of a periodical',
    at: 'revue',
    act: edit('Titre', 'La Hulotte des Ardennes'),
    says: 'Revue modifiée : La Hulotte des Ardennes',
  },
  {
    name: 'the edit of an issue',
    at: 'numero',
    act: edit('Résumé', 'Tout sur le lierre.'),
    says: 'Numéro modifié : La Hulotte n° 112',
  },
  {
    name: 'the deletion of an issue',
    at: 'numero',
    act: (page) => press(page, 'Supprimer'),
    says: 'Numéro supprimé : La Hulotte n° 112',
  },
  {
    name: 'a wish bought',
    at: 'souhaits',
    act: (page) => pressIn(page, 'Regain', 'Je l’ai acheté'),
    says: 'Livre ajouté : Regain',
  },
  {
    name: 'the order of wishes',
    at: 'souhaits',
    act: (page) => moveByKeys(page, 'Regain', 'ArrowDown'),
    says: 'Souhaits réordonnés',
  },
  {
    name: '« Monter »',
    at: 'souhaits',
    act: async (page) => {
      await pressIn(page, 'Papiers', 'Monter');
      await closeSheet(page);
    },
    says: 'Revues souhaitées réordonnées',
  },
  {
    name: 'the edit of a wish',
    at: 'souhaits',
    act: async (page) => {
      await pressIn(page, 'Colline', 'Modifier');
      await page.getByRole('form').getByLabel('Titre').fill('Colline, roman');
      await save(page);
    },
    says: 'Souhait modifié : Colline, roman',
  },
  {
    name: 'the deletion of a wish',
    at: 'souhaits',
    act: (page) => pressIn(page, 'Regain', 'Supprimer'),
    says: 'Souhait retiré : Regain',
  },
  {
    name: 'the deletion of a wished periodical',
    at: 'souhaits',
    act: (page) => pressIn(page, 'XXI', 'Supprimer'),
    says: 'Souhait retiré : XXI',
  },
  {
    name: 'an author renamed',
    at: 'auteurs',
    act: async (page) => {
      await page.getByRole('link', { name: 'Frank Herbert' }).click();
      await press(page, 'Renommer');
      await page.getByLabel('Nom', { exact: true }).fill('F. P. Herbert');
      await save(page);
    },
    says: 'Auteur renommé : Frank Herbert → F. P. Herbert',
  },
  {
    name: 'a merge under the less presentable name',
    at: 'auteurs',
    act: async (page) => {
      await openPairs(page);
      await page.getByRole('radio', { name: 'Sidonie Gabriele', exact: true }).check();
      await press(page, 'Fusionner');
    },
    says: /^Auteurs fusionnés.: /,
  },
  {
    name: 'a refused merge',
    at: 'auteurs',
    act: async (page) => {
      await openPairs(page);
      await press(page, 'Ce sont deux personnes');
    },
    says: /^Auteurs gardés à part.: /,
  },
];
