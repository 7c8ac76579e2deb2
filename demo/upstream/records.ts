/** The records of the simulated BnF in its Dublin Core format: invented editions, each for one case of a lookup. */
export interface PlayedRecord {
  readonly ark: string;
  readonly titre: string;
  /** As printed on the book, or an ISSN without hyphen. */
  readonly numeros: readonly string[];
  readonly creators?: readonly string[];
  readonly contributors?: readonly string[];
  readonly editeur?: string;
  readonly date?: string;
  readonly format?: string;
  readonly type?: 'texte imprimé' | 'publication en série imprimée' | 'document sonore';
  readonly description?: string;
}

const HUGO = 'Hugo, Victor (1802-1885). Auteur du texte';
const VERNE = 'Verne, Jules (1828-1905). Auteur du texte';

export const RECORDS: readonly PlayedRecord[] = [
  {
    ark: 'cb900000001',
    titre: 'Les travailleurs de la mer / Victor Hugo ; préface de Claire Aubry',
    numeros: ['ISBN 9782948012017'],
    creators: [HUGO],
    contributors: [
      'Aubry, Claire (1971-....). Préfacier',
      'Marchand, Lise (1961-....). Traducteur',
    ],
    description: 'Collection : Le Phare de poche ; 12',
    editeur: 'Les Presses du phare (Saint-Malo)',
    date: '2019',
    format: '1 vol. (612 p.) : ill. ; 18 cm',
  },
  {
    ark: 'cb900000002',
    titre: 'Le château des Carpathes / Jules Verne',
    numeros: ['ISBN 9782948012024'],
    creators: [VERNE],
    editeur: 'Les Presses du phare (Saint-Malo)',
    date: '2012',
    format: '1 vol. (XII-248 p.) : ill. ; 21 cm',
  },
  {
    // The same number on a reprint: two candidates, told apart by publisher and year.
    ark: 'cb900000003',
    titre: 'Le château des Carpathes / Jules Verne ; illustrations de Léon Benett',
    numeros: ['ISBN 9782948012024'],
    creators: [VERNE],
    contributors: ['Benett, Léon (1839-1917). Illustrateur'],
    editeur: 'Club du livre du soir (Paris)',
    date: 'DL 2021',
    format: '1 vol. (254 p.) : ill. en coul. ; 24 cm',
  },
  {
    // Printed before 2007: the catalogue knows it by its ISBN-10 only.
    ark: 'cb900000004',
    titre: 'Indiana / George Sand',
    numeros: ['ISBN 2948012031'],
    creators: ['Sand, George (1804-1876). Auteur du texte'],
    editeur: "L'Arbre sec (La Châtre)",
    date: '1984',
    format: '357 p. ; 20 cm',
  },
  {
    // Both printings under one number, the later one by its ISBN-13 as well.
    ark: 'cb900000005',
    titre: 'La naissance du jour / Colette',
    numeros: ['ISBN 294801204X', 'ISBN 9782948012048'],
    creators: ['Colette (1873-1954). Auteur du texte'],
    editeur: "L'Arbre sec (La Châtre)",
    date: 'impr. 2008',
    format: '1 vol. (189 p.) ; 18 cm',
  },
  {
    ark: 'cb900000006',
    titre: 'La marée haute : 1 / scénario, Inès Cardon ; dessin, Hugo Lemercier',
    numeros: ['ISBN 9782948012055'],
    creators: ['Cardon, Inès (1980-....). Scénariste'],
    contributors: [
      'Lemercier, Hugo (1978-....). Dessinateur. Coloriste',
      'Okada, Yumi. Traducteur',
    ],
    editeur: 'Grand large (Bruxelles)',
    date: '2023',
    format: '1 vol. (Non paginé) : ill. en coul. ; 32 cm',
    description: 'Collection : Embruns ; 12',
  },
  {
    // An edition remark in place of the responsibility.
    ark: 'cb900000007',
    titre: 'Le sabre et la pluie : 5 (Éd. prestige)',
    numeros: ['ISBN 9782948012062'],
    creators: ['Mori, Kenta (1969-....). Auteur du texte', 'Mori, Kenta (1969-....). Illustrateur'],
    contributors: ['Vidal, Anne-Sophie (19..-....). Traducteur'],
    editeur: 'Kagi',
    date: '2020',
    format: '1 vol. (420 p.) ; 21 cm',
  },
  {
    // The translator comes first, in creator.
    ark: 'cb900000008',
    titre: "La dernière estafette / Ellen R. Whitby ; trad. de l'anglais par Marc Dol",
    numeros: ['ISBN 9782948012079'],
    creators: [
      'Dol, Marc (1965-....). Traducteur',
      'Whitby, Ellen R. (1955-....). Auteur du texte',
    ],
    editeur: 'Éditions du Gué (Lyon)',
    date: 'cop. 2004',
    format: '1 vol. (511 p.) : couv. ill. en coul. ; 23 cm',
  },
  {
    ark: 'cb900000009',
    titre: 'Légumes du jardin / Suzy Morel ; photographies, Paul Arnoux',
    numeros: ['ISBN 9782948012086'],
    creators: ['Morel, Suzy (1964-....). Auteur du texte'],
    contributors: ['Arnoux, Paul. Photographe'],
    editeur: 'Cuisine claire (Vanves)',
    date: '2021',
    format: '1 vol. (143 p.) : ill. en coul. ; 26 cm',
  },
  {
    // Without an author, so the photographer counts as one.
    ark: 'cb900000010',
    titre: 'Toits de Lisbonne / [photographies de] Teresa Vaz',
    numeros: ['ISBN 9782948012093'],
    contributors: ['Vaz, Teresa (1958-....). Photographe'],
    editeur: 'Image lente (Arles)',
    date: '[1999]',
    format: '156 f. ; 30 cm',
  },
  {
    // An advance notice: no comma, no format.
    ark: 'cb900000011',
    titre: 'La ville sous le sable',
    numeros: ['ISBN 9782948012109'],
    creators: ['Delorme Agathe'],
    editeur: 'Éditions du Gué (Lyon)',
    date: '2026',
  },
  {
    ark: 'cb900000012',
    titre: '\u0098Le \u009Cgrand atlas des nuages / sous la direction de Pierre Alembert',
    numeros: ['ISBN 9782948012116'],
    contributors: ["Alembert, Pierre d' (1947-....). Éditeur scientifique"],
    editeur: 'Météores (Toulouse)',
    date: '2015',
    format: '1 vol. (302 p.-[16] f. de pl.) : ill. ; 33 cm + 1 brochure (48 p.)',
  },
  {
    // The playing disc comes with a booklet: no page count.
    ark: 'cb900000013',
    titre: 'Contes du fleuve / Awa Diallo, textes et voix',
    numeros: ['ISBN 9782948012123'],
    creators: ['Diallo, Awa (1975-....). Auteur du texte. Narrateur'],
    editeur: 'Oreille ouverte (Nantes)',
    date: '2018',
    format: '1 disque compact (59 min 54 s) + 1 brochure (36 p.)',
    type: 'document sonore',
  },
  {
    ark: 'cb900000014',
    titre: "Vingt mille lieues sous les mers / Jules Verne ; adapté par Rose L'Hermite",
    numeros: ['ISBN 9782948012130'],
    creators: ['Verne, Jules (1828-1905). Auteur adapté', "L'Hermite, Rose. Auteur du texte"],
    editeur: 'Petit quai (Nantes)',
    date: '2010',
    format: '1 vol. (96 p.) : ill. ; 18 cm',
  },
  {
    ark: 'cb900000015',
    titre: "Traité de l'ombre / Jean Le Rond d'Aubigny",
    numeros: ['ISBN 9782948012147'],
    creators: ["Aubigny, Jean Le Rond d' (1485?-1546). Auteur du texte"],
    editeur: '[s.n.] (Paris)',
    date: '[s.d.]',
    format: 'VIII-217 p. ; in-4',
  },
  {
    ark: 'cb900000016',
    titre: 'Le rapport des marées / Société des amis du rivage',
    numeros: ['ISBN 9782948012154'],
    creators: ['Société des amis du rivage (Brest). Auteur du texte'],
    editeur: 'Les Presses du phare (Saint-Malo)',
    date: '1996-1998',
    format: '2 vol. (312, 298 p.) ; 24 cm',
  },
  {
    ark: 'cb900000017',
    titre: "Han d'Islande / Victor Hugo",
    numeros: ['ISBN 9782948012161'],
    creators: [HUGO],
    editeur: 'Les Presses du phare (Saint-Malo)',
    date: '2003',
    format: '1 vol. (540 p.) ; 18 cm',
  },
  {
    // A part of its number is another record's whole number, so it is returned too, but is no candidate.
    ark: 'cb900000018',
    titre: 'Catalogue de la vente Morel',
    numeros: ['ISBN 9782948012260'],
    editeur: 'Hôtel des ventes (Lyon)',
    date: '1991',
    format: '64 p. ; 24 cm',
    description: 'Vente 9782948012161',
  },
  {
    // Its barcode is its number.
    ark: 'cb900000019',
    titre: 'La petite fabrique de cerfs-volants / Lou Tran',
    numeros: [],
    creators: ['Tran, Lou. Auteur du texte. Illustrateur'],
    editeur: 'Petit quai (Nantes)',
    date: '2024',
    format: '1 vol. (48 p.) : ill. en coul. ; 23 x 23 cm',
    description: 'Code à barres commercial : EAN 9791032400012',
  },
  {
    ark: 'cb900000022',
    titre: 'La marée haute : 2 / scénario, Inès Cardon ; dessin, Hugo Lemercier',
    numeros: ['ISBN 9782948012208'],
    creators: ['Cardon, Inès (1980-....). Scénariste'],
    contributors: ['Lemercier, Hugo (1978-....). Dessinateur. Coloriste'],
    editeur: 'Grand large (Bruxelles)',
    date: '2024',
    format: '1 vol. (56 p.) : ill. en coul. ; 32 cm',
    description: 'Collection : Embruns ; 15',
  },
  {
    ark: 'cb900000020',
    titre: 'Cahiers du rivage',
    numeros: ['ISSN 29170443'],
    editeur: 'Société des amis du rivage (Brest)',
    date: '1987-....',
    format: 'vol. ; 24 cm',
    type: 'publication en série imprimée',
  },
  {
    ark: 'cb900000021',
    titre: 'Le Potager illustré',
    numeros: ['ISSN 28019938'],
    editeur: 'Cuisine claire (Vanves)',
    date: '2004-....',
    type: 'publication en série imprimée',
  },
];
