export const DAY_MS = 86_400_000;

/** The day of a moment in the zone of who asks: « 2026-03-01 », as Sweden writes it. */
export const localDay = (moment: Date): string => moment.toLocaleDateString('sv');
