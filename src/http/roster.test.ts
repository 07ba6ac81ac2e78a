import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Roster } from "./roster.ts";

const names = (roster: Roster<{ place: number; name: number }>) =>
  [...roster].map(({ name }) => name).sort((a, b) => a - b);

test("a roster holds exactly those that came and have not left", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 })), (visits) => {
      const people = Array.from({ length: 10 }, (_, name) => ({ place: -1, name }));
      const roster = new Roster<{ place: number; name: number }>();
      const present = new Set<number>();
      for (const name of visits) {
        const person = people[name];
        assert.ok(person !== undefined);
        if (present.delete(name)) roster.remove(person);
        else {
          present.add(name);
          roster.add(person);
        }
        assert.equal(roster.size, present.size);
      }
      assert.deepEqual(
        names(roster),
        [...present].sort((a, b) => a - b),
      );
    }),
  );
});

test("coming twice and leaving twice change nothing", () => {
  const roster = new Roster<{ place: number; name: number }>();
  const one = { place: -1, name: 1 };
  const two = { place: -1, name: 2 };
  roster.add(one);
  roster.add(one);
  roster.add(two);
  roster.remove(one);
  roster.remove(one);
  assert.deepEqual(names(roster), [2]);
});

test("those that leave while it is read out do not disturb the reading", () => {
  const roster = new Roster<{ place: number; name: number }>();
  const people = [1, 2, 3, 4].map((name) => ({ place: -1, name }));
  for (const person of people) roster.add(person);
  const read: number[] = [];
  for (const person of roster) {
    read.push(person.name);
    roster.remove(person);
  }
  assert.deepEqual(read, [1, 2, 3, 4]);
  assert.equal(roster.size, 0);
});
