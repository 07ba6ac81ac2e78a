import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readTarEntries } from "./tar-entries.ts";
import { header, packTar, padded, paxRecord, withChecksum } from "./tar-fixture.ts";

async function read(tar: Buffer, pieceBytes = 1000): Promise<Map<string, Buffer>> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < tar.length; at += pieceBytes)
    pieces.push(tar.subarray(at, at + pieceBytes));
  const files = new Map<string, Buffer>();
  await readTarEntries(Readable.from(pieces), ({ name }) => {
    files.set(name, Buffer.alloc(0));
    return async (chunk) => {
      files.set(name, Buffer.concat([files.get(name) ?? Buffer.alloc(0), chunk]));
    };
  });
  return files;
}

describe("the tar reader", () => {
  it("gives back what was packed, however the bytes are cut into pieces", async () => {
    const sizes = fc.array(fc.nat({ max: 2_000 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 3_000 }), async (sizes, pieceBytes) => {
        const files = sizes.map((bytes, index) => ({
          // Past a hundred bytes the name travels in a pax header.
          name: `package/${"ä".repeat(index * 30)}${index}`,
          body: randomBytes(bytes),
        }));
        const found = await read(packTar(files), pieceBytes);
        assert.deepEqual(
          [...found],
          files.map(({ name, body }) => [name, body]),
        );
      }),
    );
  });

  it("knows long names as ustar and GNU tar write them", async () => {
    const long = `package/${"n".repeat(200)}`;
    const tar = Buffer.concat([
      header("name", 3, "0", "package/prefix"),
      padded(Buffer.from("one")),
      header("././@LongLink", long.length + 1, "L"),
      padded(Buffer.from(`${long}\0`)),
      header("short", 3),
      padded(Buffer.from("two")),
      Buffer.alloc(1024),
    ]);
    const found = await read(tar);
    assert.equal(found.get("package/prefix/name")?.toString(), "one");
    assert.equal(found.get(long)?.toString(), "two");
  });

  it("knows sizes from a pax header and in base 256", async () => {
    const binary = header("binary", 0);
    binary.fill(0, 124, 136);
    binary[124] = 0x80;
    binary[135] = 3;
    const pax = Buffer.from(paxRecord("size", "3"));
    const tar = Buffer.concat([
      withChecksum(binary),
      padded(Buffer.from("one")),
      header("pax", pax.length, "x"),
      padded(pax),
      header("told", 0),
      padded(Buffer.from("two")),
    ]);
    const found = await read(tar);
    assert.equal(found.get("binary")?.toString(), "one");
    assert.equal(found.get("told")?.toString(), "two");
  });

  it("passes over folders and links", async () => {
    const tar = Buffer.concat([header("package/", 0, "5"), header("link", 0, "2"), header("f", 0)]);
    assert.deepEqual([...(await read(tar)).keys()], ["f"]);
  });

  it("says so when the archive is broken", async () => {
    const tar = packTar([{ name: "package/f", body: randomBytes(700) }]);
    await assert.rejects(read(tar.subarray(0, 800)), /ends inside a file/);
    await assert.rejects(read(tar.subarray(0, 300)), /ends inside a block/);
    const flipped = Buffer.from(tar);
    flipped[0] = 0x41;
    await assert.rejects(read(flipped), /checksum is wrong/);
    await assert.rejects(read(header("x", 2 ** 30, "x")), /header is too large/);
  });
});
