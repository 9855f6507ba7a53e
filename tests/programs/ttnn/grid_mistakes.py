"""Mistakes between cores, planted into copies of an operation's kernels: signals that nobody sends or waits for, wrong numbers of receivers."""
import pathlib

import mistakes

# Of each operation: the rule of docs/programs.md and docs/grid.md, the kernel, what of it, everywhere, becomes what, and what is said then.
EDITS = {
    "matmul_2d": [
        ("11", "reader_bmm_tile_layout_in0_sender_padding.cpp", r"(in0_block_size_bytes,\s+in0_mcast_num_cores),", r"\1 + 1,", "receive"),
        ("15", "reader_bmm_tile_layout_in0_receiver.cpp", r"sender_sem\.up\([^;]*;", "", "semaphore 0 to be 2, which is 0"),
    ],
    # Receivers ask for all blocks at once.
    "matmul_1d": [("15", "reader_bmm_tile_layout_in0_receiver.cpp", r"receiver_sem\.wait\(VALID\);", "",
                   "semaphore 0 to be 3, which is 6: it has passed that")],
    "layernorm_sharded": [("13", "reader_mcast_receiver_unary_sharded_ln.cpp", r"reduce_sender_sem\.wait\(VALID\);", "", "")],
    "groupnorm": [("8", "reader_mcast_receiver_unary_sharded_gn_v2.cpp", r"reduce_sender_sem\.wait\(VALID\);", "",
                   "into which nothing was ever written"),
                  ("11", "reader_mcast_sender_unary_sharded_gn_v2.cpp", r"num_mcast_cores_mid_group,(\s+false)",
                   r"num_mcast_cores_mid_group + 1,\1", "receive")],
    "argmax": [("13", "reader_argmax_interleaved_multicore.cpp", r"start_sem\.wait\(k \+ 1\);", "", "may still need what is there")],
    "topk": [("12", "writer_local_topk.cpp", r"receiver_sem\.wait\(VALID\);", "", "one of the two is lost"),
             ("15", "writer_local_topk.cpp", r"sender_sem\.up\([^;]*;", "", "semaphore 0 to be 4, which is 0")],
    "sort": [("11", "coordinator_single_row_multi_core.cpp", r"number_of_dest\);\s+noc\.", "number_of_dest + 1); noc.", "receive"),
             ("15", "reader_single_row_multi_core.cpp", r"cores_to_coordinator_sem\.up\([^;]*;", "", "semaphore 1 to be 3, which is 0")],
    "halo": [("3", "halo_gather.cpp", r"noc\.async_write_barrier\(\);\s+\}\s*$", "}\n", "has not waited for a write"),
             ("no core", "halo_gather.cpp", r"out_noc_x = destination_noc_x", "out_noc_x = destination_noc_x + 40",
              "where neither a core nor DRAM answers")],
    "move": [("13", "move_interleaved_with_overlap.cpp", r"sem\.wait\(control_value\);", "", "comes there before or after"),
             ("11", "move_interleaved_with_overlap.cpp", r"range_0_size\);", "range_0_size - 1);", "receive")],
    "reshard": [("3", "reshard_reader.cpp", r"noc\.async_read_barrier\(\);", "", "has not waited for a read")],
    "create_qkv_heads": [("no core", "reader_tm_tile_layout_nlp_create_qkv_heads_sharded.cpp", r"\.noc_x = q_src_noc_x",
                          ".noc_x = q_src_noc_x + 40", "where neither a core nor DRAM answers")],
}


class GridMistake(mistakes.Mistake):
    def __init__(self, operation, rule, file, pattern, text, words):
        super().__init__(operation, rule)
        self.file, self.pattern, self.text = file, pattern, text
        self.words = words

    def plant(self, checkout, folder):
        kernel = next(each for each in self.edited.kernels if pathlib.Path(each["file"]).name == self.file)
        if not self._edit(checkout, folder, kernel, self.pattern, self.text):
            return False
        self.places = [self.words]
        self.says = {"15": "waits for", "no core": "Unsupported"}.get(self.rule, f"[programs {self.rule}]")
        return True


def mistakes_of(operation):
    return [GridMistake(operation, *each) for each in EDITS.get(operation.name, [])]
