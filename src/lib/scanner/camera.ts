import { browserPart } from '$lib/sync/this-device';
import { soundSetting } from '$lib/ui/device-settings.svelte';
import { openDecoder } from './decoder.ts';
import type { BarcodeDecoder } from './zxing-decoder.ts';
import { unawaited } from '$lib/sync/report';

export type CameraFailure = 'denied' | 'missing' | 'busy' | 'insecure' | 'stopped';

export class CameraUnavailable extends Error {
  readonly failure: CameraFailure;

  constructor(failure: CameraFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

const FAILURES: Readonly<Record<string, CameraFailure>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Opens the camera at the back of the device until the signal is aborted. Throws `CameraUnavailable`. */
export async function openCamera(signal: AbortSignal): Promise<MediaStream> {
  const stream = await requestCamera();
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  signal.throwIfAborted();
  return stream;
}

async function requestCamera(): Promise<MediaStream> {
  const media = browserPart('mediaDevices');
  if (!isSecureContext || media === null) throw new CameraUnavailable('insecure');
  try {
    return await media.getUserMedia({
      audio: false,
      video: {
        facingMode: { ideal: 'environment' },
        width: { ideal: 1280 },
        height: { ideal: 720 },
      },
    });
  } catch (error) {
    throw new CameraUnavailable(FAILURES[nameOf(error)] ?? 'stopped', error);
  }
}

declare global {
  /** The light of a phone's camera, which browsers have and their types do not. */
  interface MediaTrackConstraintSet {
    torch?: boolean;
  }
}

export const hasLight = (track: MediaStreamTrack): boolean =>
  // Firefox lacks `getCapabilities`.
  'getCapabilities' in track && 'torch' in track.getCapabilities();

/** Whether the device has a camera, as far as it is known without permission. */
export async function hasCamera(): Promise<boolean> {
  const media = browserPart('mediaDevices');
  if (!isSecureContext || media === null) return false;
  const devices = await media.enumerateDevices().catch(() => []);
  return devices.some(({ kind }) => kind === 'videoinput');
}

/** WebKit's OverconstrainedError is no DOMException: only the name is common to all browsers. */
const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';

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
      draw(video, visibleArea(video), MAX_VIDEO_SIDE, canvas);
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
  const [decoder, photo] = await Promise.all([openDecoder(), createImageBitmap(file)]);
  const canvas = document.createElement('canvas');
  draw(photo, { x: 0, y: 0, width: photo.width, height: photo.height }, MAX_PHOTO_SIDE, canvas);
  photo.close();
  return decoder.decode(canvas);
}

/** The longest side of a decoded picture: a larger picture only costs time. */
const MAX_VIDEO_SIDE = 1024;
const MAX_PHOTO_SIDE = 2048;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The part of the video visible by `object-fit: cover`, in video pixels: codes outside are ignored. */
function visibleArea(video: HTMLVideoElement): Area {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
  const width = Math.min(videoWidth, clientWidth / scale);
  const height = Math.min(videoHeight, clientHeight / scale);
  return { x: (videoWidth - width) / 2, y: (videoHeight - height) / 2, width, height };
}

function draw(
  source: CanvasImageSource,
  { x, y, width, height }: Area,
  maxSide: number,
  canvas: HTMLCanvasElement,
): void {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas
    .getContext('2d', { willReadFrequently: true })
    ?.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height);
}

/** How many consecutive pictures must show a code: one misreading in ten has a valid check digit. */
const MIN_PICTURES = 2;

/** After this many pictures without it, some two seconds, a code counts as newly seen. */
const MAX_ABSENCES = 12;

/** Each code of a video counts once while it is in sight, and a misreading never. */
export class Sightings {
  readonly #seen = new Map<string, { count: number; absences: number }>();

  add(codes: readonly string[]): string[] {
    for (const [code, sighting] of this.#seen) {
      if (codes.includes(code)) continue;
      sighting.absences++;
      if (sighting.absences >= MAX_ABSENCES || sighting.count < MIN_PICTURES)
        this.#seen.delete(code);
    }
    return [...new Set(codes)].filter((code) => {
      const count = (this.#seen.get(code)?.count ?? 0) + 1;
      this.#seen.set(code, { count, absences: 0 });
      return count === MIN_PICTURES;
    });
  }
}

const FREQUENCY_HZ = 1480;
const DURATION_S = 0.09;
const VIBRATION_MS = 60;

/** How long after its code a sound may be played, in milliseconds. */
const LATEST_MS = 500;

/** Confirms a code by a sound and a vibration, whichever the device has. */
export class Beep {
  /** Created in the handler of a tap: otherwise browsers keep it silent. */
  readonly #audio = new AudioContext();

  play(): void {
    if ('vibrate' in navigator) navigator.vibrate(VIBRATION_MS);
    if (soundSetting.value === 'non') return;
    if (this.#audio.state === 'running') this.#sound();
    else unawaited(this.#soundOnceAwake(), 'confirming a code by a sound');
  }

  close(): void {
    unawaited(this.#audio.close(), 'closing the sound');
  }

  /** The audio context is resumed for the first code, but a late sound is dropped. */
  async #soundOnceAwake(): Promise<void> {
    const asked = performance.now();
    await this.#audio.resume();
    if (performance.now() - asked < LATEST_MS) this.#sound();
  }

  #sound(): void {
    const start = this.#audio.currentTime;
    const gain = this.#audio.createGain();
    gain.gain.setValueAtTime(0.12, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + DURATION_S);
    const tone = this.#audio.createOscillator();
    tone.frequency.value = FREQUENCY_HZ;
    tone.connect(gain).connect(this.#audio.destination);
    tone.start(start);
    tone.stop(start + DURATION_S);
  }
}
