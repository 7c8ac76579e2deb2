import { KeptChoice } from './kept-choice.ts';

export type Affichage = 'liste' | 'couvertures';

/** The catalogue as a list or as a wall of covers. */
export const affichageChoice = new KeptChoice<Affichage>('affichage', ['liste', 'couvertures']);
