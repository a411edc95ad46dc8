"""Make neo4j.lock.json anew: ask Maven which jars the server needs, and write down what each one is.

Run by hand when the version of Neo4j changes (`python scripts/lock_neo4j.py 2026.09.0`); needs `mvn` on the PATH.
Maven resolves, because its answer is the definition; `localdb` then fetches exactly these coordinates, without Maven,
and refuses any jar whose sha256 is another one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

LOCK = Path(__file__).parent.parent / "memorepair_graphdb" / "localdb" / "neo4j.lock.json"
BROWSER_VERSION = "5.24.0"  # released on its own, not with the server

POM = """<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>memorepair</groupId><artifactId>lock</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{neo4j}</version></dependency>
    <dependency>
      <groupId>org.neo4j.client</groupId><artifactId>neo4j-browser</artifactId><version>{browser}</version>
    </dependency>
  </dependencies>
</project>
"""


def main() -> None:
    """Resolve, hash, and write the lock; say what was locked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("neo4j", help="version of Neo4j Community, for instance 2026.09.0")
    parser.add_argument("--browser", default=BROWSER_VERSION, help="version of Neo4j Browser")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        jars = describe_repository(resolve(given.neo4j, given.browser, Path(scratch)))
    lock = {"neo4j": given.neo4j, "browser": given.browser, "jars": jars}
    LOCK.write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8")
    size = sum(int(jar["size"]) for jar in jars)
    sys.stdout.write(f"{len(jars)} jars, {size / 2**20:.0f} MiB, in {LOCK.name}\n")


def resolve(neo4j: str, browser: str, scratch: Path) -> Path:
    """Have Maven copy the runtime dependencies; returns a directory in the layout of a Maven repository."""
    (scratch / "pom.xml").write_text(POM.format(neo4j=neo4j, browser=browser), encoding="utf-8")
    repository = scratch / "jars"
    subprocess.run(  # noqa: S603
        [  # noqa: S607
            "mvn",
            "--quiet",
            "--batch-mode",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            "-Dmdep.useRepositoryLayout=true",
            f"-DoutputDirectory={repository}",
        ],
        cwd=scratch,
        check=True,
        stdout=sys.stderr,
    )
    return repository


def describe_repository(repository: Path) -> list[dict[str, str | int]]:
    """Coordinates, sha256 and size of every jar, in the order of their coordinates."""
    return [describe(path, repository) for path in sorted(repository.rglob("*.jar"))]


def describe(path: Path, repository: Path) -> dict[str, str | int]:
    """Read the coordinates off the path group/…/artifact/version/artifact-version[-classifier].jar."""
    *group, artifact, version, _ = path.relative_to(repository).parts
    classifier = path.stem.removeprefix(f"{artifact}-{version}").removeprefix("-")
    with path.open("rb") as jar:
        sha256 = hashlib.file_digest(jar, "sha256").hexdigest()
    return {
        "group": ".".join(group),
        "artifact": artifact,
        "version": version,
        "classifier": classifier,
        "packaging": path.suffix.removeprefix("."),
        "sha256": sha256,
        "size": path.stat().st_size,
    }


if __name__ == "__main__":
    main()
