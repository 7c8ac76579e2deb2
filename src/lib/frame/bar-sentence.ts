/** A sentence in one line: its head, what may be cut, and its end, which stays. */
interface BarSentence {
  readonly head: string;
  /** With the sign that leads to it; '' where the sentence names nothing. */
  readonly named: string;
  readonly tail: string;
  /** What it names. */
  readonly name: string;
}

/** « L’ajout de « Dune » est annulé. » */
const UNDOING = /^(?<head>.+?)(?<named>\sde\s«\s(?<name>.+)\s»)(?<tail>\sest\s\S+\.)$/u;
/** « Prêté à Luc : Dune » */
const ACT = /^(?<head>.+?)(?<named>\s:\s(?<name>.+))$/u;

/** What of an act's sentence may be cut: the name of its record, never its verb. */
export function barSentence(text: string): BarSentence {
  const {
    head = text,
    named = '',
    tail = '',
    name = '',
  } = (UNDOING.exec(text) ?? ACT.exec(text))?.groups ?? {};
  return { head, named, tail, name };
}
