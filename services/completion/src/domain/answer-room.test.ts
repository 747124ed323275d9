import { createAnswerRoom } from './answer-room';
import type { VendorFailure } from './vendor';

const SETTING = 'TOLLGATE_COMPLETION_HELD_BYTES_MAX';

function startRoom() {
  const room = createAnswerRoom(1_000, SETTING);
  const cut: string[] = [];
  const open = (name: string) =>
    room.open(({ error, outcome }: VendorFailure) => {
      cut.push(`${name} ${outcome}${error.retryable ? ', and may be repeated' : ''}`);
    });
  return { room, cut, open };
}

it('room that is used up cuts the answer that holds most, not the one that comes last', () => {
  const { room, cut, open } = startRoom();
  open('large').hold(700);
  open('small').hold(250);
  open('last').hold(100);
  expect(cut).toEqual(['large aborted']);
  expect(room.heldBytes).toBe(350);
});

it('an answer that holds most itself fails when it needs more than there is', () => {
  const { room, cut, open } = startRoom();
  open('small').hold(400);
  expect(() => open('large').hold(700)).toThrow(SETTING);
  expect(cut).toEqual([]);
  expect(room.heldBytes).toBe(400);
});

it('what was given back is held no more, however often it is given back', () => {
  const { room, cut, open } = startRoom();
  const first = open('first');
  first.hold(900);
  first.release();
  first.release();
  open('second').hold(900);
  expect(room.heldBytes).toBe(900);
  expect(cut).toEqual([]);
});

it('a complete answer is counted until it has left, and nothing cuts it', () => {
  const { room, cut, open } = startRoom();
  const left = room.countComplete(800);
  const reading = open('reading');
  reading.hold(150);
  open('more').hold(100);
  expect(cut).toEqual(['reading aborted']);
  expect(room.heldBytes).toBe(900);
  left();
  left();
  expect(room.heldBytes).toBe(100);
});

it('an answer that holds less than before is not cut for what others hold', () => {
  const { room, cut, open } = startRoom();
  const reading = open('reading');
  reading.hold(500);
  room.countComplete(900);
  reading.hold(100);
  expect([cut, room.heldBytes]).toEqual([[], 1_000]);
});
