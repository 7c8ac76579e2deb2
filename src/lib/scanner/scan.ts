import type { BarcodeDecoder } from './decoder.ts';
import { openDecoder } from './open-decoder.ts';
import { drawPhoto, drawVideo } from './picture.ts';
import { Sightings } from './sightings.ts';

/** The pause between two pictures: a faster scan only heats the phone. */
const PAUSE_MS = 120;

interface ScanOptions {
  readonly signal: AbortSignal;
  readonly oncode: (code: string) => void;
}

/** Decodes the running video until the signal is aborted; calls `oncode` for each new code. */
export async function scanVideo(
  video: HTMLVideoElement,
  decoder: BarcodeDecoder,
  { signal, oncode }: ScanOptions,
): Promise<void> {
  const canvas = document.createElement('canvas');
  const sightings = new Sightings();
  while (!signal.aborted) {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.clientWidth > 0) {
      drawVideo(video, canvas);
      const codes = await decoder.decode(canvas);
      for (const code of sightings.add(codes)) if (!isAborted(signal)) oncode(code);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Reads the signal again: TypeScript narrows `signal.aborted` across an `await`. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/** The codes in a photo; rejects where the browser cannot read its format. */
export async function scanPhoto(file: Blob): Promise<readonly string[]> {
  const [decoder, canvas] = await Promise.all([openDecoder(), drawPhoto(file)]);
  return decoder.decode(canvas);
}
