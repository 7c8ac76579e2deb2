// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters, @typescript-eslint/no-unsafe-type-assertion -- only this service writes these texts, from values of T; they are not checked again, as an undoing reads ten thousands
export const parseStored = <T>(text: string): T => JSON.parse(text) as T;
