"""A name is found in scripts that put no space between words, and a word that is common in the space is nobody's."""

from __future__ import annotations

import pytest

from memorepair_graphdb import Registry, RepairEvent

DELETED = {
    "Chinese": ("客户王小明要求退款五百元。", "我们已经联系王小明。", "客户"),
    "Japanese": ("佐々木健一郎さんは返金を求めました。", "今朝、佐々木へ連絡しました。", "返金"),
    "Thai": ("ลูกค้าชื่อกิตติพงษ์ขอคืนเงิน", "เราโทรหากิตติพงษ์แล้ว", "ลูกค้า"),
    "Khmer": ("អតិថិជនឈ្មោះវិសាលសុំសងប្រាក់វិញ", "យើងបានទូរស័ព្ទទៅវិសាល", "អតិថិជន"),
    "Devanagari": ("ग्राहक अनिता शर्मा ने पैसे वापस माँगे।", "हमने अनिता को फोन किया।", "ग्राहक"),
}


@pytest.mark.parametrize("script", DELETED)
def test_a_name_is_not_published_in_any_script_and_a_common_word_is(memory, script):
    deleted, leak, common = DELETED[script]
    registry = Registry()
    registry.operator("leak@1", mode="regen", support="available")(lambda context: leak)
    registry.operator("fine@1", mode="regen", support="available")(lambda context: f"{common} {common}.")
    mr = memory(registry=registry)
    mr.record(deleted, key="msg/1")
    mr.record("It rains.", key="msg/2")
    for number in range(5):
        mr.record(f"{common} {number}", key=f"other/{number}")
    for key in ("leak", "fine"):
        mr.derive("x", key=key, kind="summary", influenced_by=["msg/1", "msg/2"], operator=f"{key}@1")
    report = mr.repair(RepairEvent.delete(["msg/1"]), tradeoff=0)
    assert report.outcomes["leak"] == "rejected"
    assert report.reasons["leak"].startswith("residue: the ")
    assert report.outcomes["fine"] == "published", report.reasons["fine"]
